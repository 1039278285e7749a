#pragma once

#include <cstddef>
#include <mabkit/batch.hpp>
#include <string>

#include "json_text.hpp"

namespace mabkit::cli {

/// `walk.mab -> walk.glb (wd1, 31 joints, 301 keys, 10 s; 31 of 31 joints in hero.skeleton)`.
[[nodiscard]] std::string outcome_line(const FileOutcome& outcome, const ConvertOptions& options,
                                       bool is_dry_run);

/// What became of every file, as `mabkit.convert/1` (docs/schema/convert-1.schema.json).
class ConvertReport {
 public:
  /// Files are only counted where nobody wants the text: thousands of them take memory.
  ConvertReport(const ConvertOptions& options, bool has_text)
      : options_(options), has_text_(has_text) {}

  void add(const FileOutcome& outcome);
  [[nodiscard]] std::size_t done() const { return done_; }
  [[nodiscard]] std::size_t failed() const { return failed_; }
  /// Empty where it is not wanted.
  [[nodiscard]] std::string text() const;

 private:
  const ConvertOptions& options_;
  bool has_text_;
  Json files_ = Json::array();
  std::size_t done_ = 0;
  std::size_t failed_ = 0;
  std::size_t warned_ = 0;
};

}  // namespace mabkit::cli
