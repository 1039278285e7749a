#include "support/fixtures.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mabkit/json.hpp>
#include <stdexcept>

namespace mabkit::test {
namespace {

using nlohmann::json;

const std::filesystem::path fixture_root{MABKIT_FIXTURES};
constexpr std::size_t most_differences = 20;

/// Compares a bank, written as JSON, with the subset of keys that a fixture's expected file has.
class Comparison {
 public:
  void compare(const json& actual, const json& expected, const std::string& path) {
    if (found_.size() >= most_differences) return;
    if (expected.is_object()) {
      compare_object(actual, expected, path);
    } else if (expected.is_array()) {
      compare_array(actual, expected, path);
    } else if (expected.is_number_float() || actual.is_number_float()) {
      if (!actual.is_number()) return add(path, actual, expected);
      const auto want = expected.get<double>();
      if (std::abs(actual.get<double>() - want) > time_tolerance(want)) add(path, actual, expected);
    } else if (actual != expected) {
      add(path, actual, expected);
    }
  }

  [[nodiscard]] std::vector<std::string> take() && { return std::move(found_); }

 private:
  void add(const std::string& path, const json& actual, const json& expected) {
    found_.push_back(path + ": has " + actual.dump() + ", expected " + expected.dump());
  }

  void compare_object(const json& actual, const json& expected, const std::string& path) {
    if (!actual.is_object()) return add(path, actual, expected);
    for (const auto& [key, value] : expected.items()) {
      const std::string at = path + "." + key;
      if (!actual.contains(key)) {
        found_.push_back(at + ": is absent");
      } else if (key == "values") {
        compare_values(actual[key], value, at);
      } else {
        compare(actual[key], value, at);
      }
    }
  }

  void compare_array(const json& actual, const json& expected, const std::string& path) {
    if (!actual.is_array() || actual.size() != expected.size()) {
      found_.push_back(path + ": has " + std::to_string(actual.size()) + " entries, expected " +
                       std::to_string(expected.size()));
      return;
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
      compare(actual[i], expected[i], path + "[" + std::to_string(i) + "]");
    }
  }

  void compare_values(const json& actual, const json& expected, const std::string& path) {
    if (actual.size() != expected.size())
      return add(path + ".size", actual.size(), expected.size());
    double largest = 1.0;
    for (const auto& value : expected) {
      for (const auto& component : value) {
        largest = std::max(largest, std::abs(component.get<double>()));
      }
    }
    for (std::size_t key = 0; key < expected.size(); ++key) {
      if (actual[key].size() != expected[key].size()) return add(path, actual[key], expected[key]);
      for (std::size_t i = 0; i < expected[key].size(); ++i) {
        const auto want = expected[key][i].get<double>();
        const double tolerance =
            expected[key].size() == 4 ? rotation_tolerance(want) : 2e-6 * largest;
        if (!(std::abs(actual[key][i].get<double>() - want) <= tolerance)) {
          add(path + "[" + std::to_string(key) + "]", actual[key], expected[key]);
          break;
        }
      }
    }
  }

  // The three tolerances of tests/fixtures/README.md.
  static double rotation_tolerance(double component) {
    return std::max(2e-6, std::min(1e-3, 5e-7 / std::max(std::abs(component), 1e-30)));
  }
  static double time_tolerance(double value) {
    const double unit = std::nextafter(static_cast<float>(std::abs(value)), INFINITY) -
                        static_cast<float>(std::abs(value));
    return std::max(1e-6, unit);
  }

  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::byte> read_fixture(const std::string& name) {
  std::ifstream in(fixture_root / name, std::ios::binary);
  if (!in) throw std::runtime_error("no fixture " + name);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto view = std::as_bytes(std::span(text));
  return {view.begin(), view.end()};
}

std::vector<std::string> fixtures(const std::string& folder, const std::string& extension) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(fixture_root / folder)) {
    if (entry.path().extension() == extension) {
      names.push_back(folder + "/" + entry.path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> mab_fixtures() {
  std::vector<std::string> names;
  for (const char* const folder : {"spec", "mab", "motion"}) {
    for (std::string& name : fixtures(folder, ".mab")) names.push_back(std::move(name));
  }
  return names;
}

std::string fixture_test_name(const testing::TestParamInfo<std::string>& test) {
  std::string name = test.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

json read_fixture_json(const std::string& name) {
  std::ifstream in(fixture_root / name);
  return json::parse(in);
}

std::vector<std::string> differences(const Bank& bank, const json& expected) {
  Comparison comparison;
  comparison.compare(json::parse(write_json(bank)), expected, "");
  return std::move(comparison).take();
}

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> out;
  for (const int value : values) out.push_back(static_cast<std::byte>(value));
  return out;
}

}  // namespace mabkit::test
