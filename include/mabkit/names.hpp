#pragma once

#include <cstdint>
#include <mabkit/error.hpp>
#include <mabkit/skeleton.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mabkit {

/// CRC-32 (reflected, polynomial 0xEDB88320) of a bone name, case kept (spec mab-chunked, 1.2).
[[nodiscard]] std::uint32_t name_hash(std::string_view name);

/// `0xb021fd58`: eight lower-case digits, as JSON and reports have it.
[[nodiscard]] std::string hash_text(std::uint32_t hash);
/// Reads `0xb021fd58` or `b021fd58`, any case.
[[nodiscard]] std::optional<std::uint32_t> hash_from_text(std::string_view text);

/// What a joint is called before people: its name, else its hash, else `bone id 12`.
[[nodiscard]] std::string joint_label(const Joint& joint);
/// Those of every joint of a clip.
[[nodiscard]] std::vector<std::string> joint_labels(const Clip& clip);

/// Names by their hash, so that hash-named joints become readable.
class NameDictionary {
 public:
  /// Names of common biped joints, written by us.
  [[nodiscard]] static NameDictionary built_in();

  /// Adds a name; an earlier name of the same hash stays.
  void add(std::string_view name);
  void add(const Skeleton& skeleton);
  /// Adds one name a line; blank lines and lines that begin with `#` are skipped, and so are
  /// spaces at either end of a line.
  void add_lines(std::string_view text);

  /// The name, or nothing. The view lives as long as the dictionary is not changed.
  [[nodiscard]] std::optional<std::string_view> find(std::uint32_t hash) const;
  /// Every name, sorted.
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] std::size_t size() const { return names_.size(); }

 private:
  std::unordered_map<std::uint32_t, std::string> names_;
};

/// Names every joint of `bank` that has a hash, no name, and an entry in `names`; a clip's parent
/// that was known by its hash gets the name of its joint.
void name_joints(Bank& bank, const NameDictionary& names);

/// Up to `most` of `candidates` that differ from `name` least, the nearest first; far ones and
/// those of the other side of the body are left out. The measure is the edit distance without case,
/// separators, name space, `Bip01` and the spelling of the side (`L`, `Left`, `_L`).
[[nodiscard]] std::vector<std::string> near_names(std::string_view name,
                                                  const std::vector<std::string>& candidates,
                                                  std::size_t most = 3);

}  // namespace mabkit
