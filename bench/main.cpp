// How fast clips are read, decoded and written. The clips are ten seconds of motion capture in the
// files of two families, so that numbers can be compared. The baseline of decoding is a copy of the
// floats and times that it makes: no decoder can be faster.
//
// bytes_per_second counts what a benchmark makes (decoding: times and values; writing: the output)
// or, for parsing, what it reads.

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <mabkit/mabkit.hpp>

namespace {

using mabkit::Bank;
using mabkit::Document;

template <class T>
T value_or_exit(mabkit::Result<T> result, const std::string& file) {
  if (result) return std::move(*result);
  std::cerr << mabkit::describe(file, result.error()) << '\n';
  std::exit(1);
}

std::vector<std::byte> read_clip(const std::string& name) {
  const std::string file = std::string(MABKIT_FIXTURES) + "/motion/" + name;
  return value_or_exit(mabkit::read_file(file, mabkit::ReadLimits{}.max_file_size), file);
}

Document parse_clip(const std::string& name) {
  return value_or_exit(Document::parse(read_clip(name)), name);
}

std::size_t decoded_bytes(const Bank& bank) {
  std::size_t floats = 0;
  for (const auto& clip : bank.clips) floats += clip.times.size() + clip.values.size();
  return floats * sizeof(float);
}

void count_bytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
}

/// Structure only, from a copy of the file's bytes.
void parse(benchmark::State& state, const std::string& name) {
  const auto bytes = read_clip(name);
  for (auto _ : state) {
    auto document = Document::parse(bytes);
    benchmark::DoNotOptimize(document);
  }
  count_bytes(state, bytes.size());
}

/// Every value of the file, from a parsed document.
void decode(benchmark::State& state, const std::string& name) {
  const Document document = parse_clip(name);
  const Bank once = value_or_exit(document.bank(), name);
  for (auto _ : state) {
    auto bank = document.bank();
    benchmark::DoNotOptimize(bank);
  }
  count_bytes(state, decoded_bytes(once));
  state.counters["tracks"] = static_cast<double>(once.clips[0].tracks.size());
}

/// The baseline: the same floats, copied into memory of their own.
void copy_decoded(benchmark::State& state, const std::string& name) {
  const Bank bank = value_or_exit(parse_clip(name).bank(), name);
  const std::size_t floats = decoded_bytes(bank) / sizeof(float);
  const std::vector<float> source(floats, 0.5F);
  for (auto _ : state) {
    std::vector<float> target(floats);
    std::memcpy(target.data(), source.data(), floats * sizeof(float));
    benchmark::DoNotOptimize(target.data());
  }
  count_bytes(state, decoded_bytes(bank));
}

void rebuild(benchmark::State& state, const std::string& name) {
  const Document document = parse_clip(name);
  for (auto _ : state) {
    auto bytes = document.rebuild();
    benchmark::DoNotOptimize(bytes);
  }
  count_bytes(state, document.bytes().size());
}

void json(benchmark::State& state, const std::string& name) {
  const Bank bank = value_or_exit(parse_clip(name).bank(), name);
  const std::size_t size = mabkit::write_json(bank).size();
  for (auto _ : state) benchmark::DoNotOptimize(mabkit::write_json(bank));
  count_bytes(state, size);
}

void glb(benchmark::State& state, const std::string& name) {
  const Bank bank = value_or_exit(parse_clip(name).bank(), name);
  std::size_t size = 0;
  for (auto _ : state) {
    const auto asset = mabkit::build_gltf(bank, nullptr, {});
    const auto bytes = mabkit::write_glb(*asset);
    size = bytes->size();
    benchmark::DoNotOptimize(bytes);
  }
  count_bytes(state, size);
}

}  // namespace

int main(int argc, char** argv) {
  for (const std::string family : {"fc2", "wdl"}) {
    const std::string clip = "cmu_01_01_" + family + ".mab";
    const std::string label = family == "fc2" ? "/sparse" : "/chunked";
    benchmark::RegisterBenchmark(("parse" + label).c_str(), parse, clip);
    benchmark::RegisterBenchmark(("decode" + label).c_str(), decode, clip);
    benchmark::RegisterBenchmark(("decode_baseline_memcpy" + label).c_str(), copy_decoded, clip);
    benchmark::RegisterBenchmark(("rebuild" + label).c_str(), rebuild, clip);
    benchmark::RegisterBenchmark(("json" + label).c_str(), json, clip);
    benchmark::RegisterBenchmark(("glb" + label).c_str(), glb, clip);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
