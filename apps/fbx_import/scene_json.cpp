#include "scene_json.hpp"

#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace {

std::string_view text_of(const aiString& text) {
  return {text.C_Str(), text.length};
}

/// Bytes that follow a first byte of UTF-8; absent where none can begin with it.
std::optional<std::size_t> followers(unsigned char first) {
  if (first < 0x80) return 0;
  if (first >= 0xC2 && first < 0xE0) return 1;
  if (first >= 0xE0 && first < 0xF0) return 2;
  if (first >= 0xF0 && first < 0xF5) return 3;
  return std::nullopt;
}

/// Whether a reader of JSON will take the text: no overlong forms, no surrogates.
bool is_utf8(std::string_view text) {
  constexpr std::array<std::uint32_t, 4> least{0, 0x80, 0x800, 0x10000};
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto first = static_cast<unsigned char>(text[at]);
    const auto count = followers(first);
    if (!count || *count > text.size() - at - 1) return false;
    std::uint32_t code = *count == 0 ? first : first & (0x3FU >> *count);
    for (std::size_t i = 0; i < *count; ++i) {
      const auto next = static_cast<unsigned char>(text[++at]);
      if ((next & 0xC0U) != 0x80U) return false;
      code = code << 6U | (next & 0x3FU);
    }
    const bool is_surrogate = code >= 0xD800 && code < 0xE000;
    if (code < least[*count] || is_surrogate || code > 0x10FFFF) return false;
  }
  return true;
}

class SceneWriter {
 public:
  SceneWriter(const aiScene& scene, std::size_t max_size) : scene_(scene), max_size_(max_size) {}

  std::optional<std::string> write() && {
    find_bones();
    list_nodes();
    find_binds();
    out_ = R"({"schema":"mabkit.fbx-scene/1")";
    write_setting("up_axis", "UpAxis");
    write_setting("up_axis_sign", "UpAxisSign");
    write_unit();
    write_nodes();
    write_animations();
    out_ += "}";
    if (out_.size() > max_size_) return std::nullopt;
    return std::move(out_);
  }

 private:
  struct NodeBelow {
    const aiNode* node = nullptr;
    std::optional<std::size_t> parent;  ///< position in `nodes_`
  };

  bool is_full() const { return out_.size() > max_size_; }

  template <class... Values>
  void append(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Values>(values)...);
  }

  /// The shortest text that reads back to the same number; null for what JSON has none for.
  template <class T>
  void number(T value) {
    if (std::isfinite(value)) {
      append("{}", value);
    } else {
      out_ += "null";
    }
  }

  /// Names that are not UTF-8 are taken for Latin-1, so that they stay apart.
  void quote(std::string_view text) {
    constexpr unsigned char first_printable = 0x20;
    const bool is_text = is_utf8(text);
    out_ += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\') {
        out_ += '\\';
        out_ += c;
      } else if (static_cast<unsigned char>(c) < first_printable || (!is_text && c < 0)) {
        append("\\u{:04x}", static_cast<unsigned char>(c));
      } else {
        out_ += c;
      }
    }
    out_ += '"';
  }

  void find_bones() {
    for (unsigned mesh = 0; mesh < scene_.mNumMeshes; ++mesh) {
      const aiMesh& owner = *scene_.mMeshes[mesh];
      for (unsigned bone = 0; bone < owner.mNumBones; ++bone) {
        bones_.emplace(text_of(owner.mBones[bone]->mName));
      }
    }
    for (unsigned i = 0; i < scene_.mNumCameras; ++i) {
      others_.emplace(text_of(scene_.mCameras[i]->mName));
    }
    for (unsigned i = 0; i < scene_.mNumLights; ++i) {
      others_.emplace(text_of(scene_.mLights[i]->mName));
    }
  }

  /// Parents first, in the file's order, by a list of our own: files may nest as deep as they like.
  void list_nodes() {
    std::vector<NodeBelow> waiting{{scene_.mRootNode, std::nullopt}};
    while (!waiting.empty()) {
      const NodeBelow next = waiting.back();
      waiting.pop_back();
      const std::size_t position = nodes_.size();
      nodes_.push_back(next);
      position_.try_emplace(text_of(next.node->mName), position);
      for (unsigned child = next.node->mNumChildren; child-- > 0;) {
        waiting.push_back({next.node->mChildren[child], position});
      }
    }
  }

  /// Where every node stands in the scene. The scene's own node has no part in it.
  std::vector<aiMatrix4x4> places() const {
    std::vector<aiMatrix4x4> places;
    places.reserve(nodes_.size());
    for (const NodeBelow& entry : nodes_) {
      places.push_back(entry.parent ? places[*entry.parent] * entry.node->mTransformation
                                    : aiMatrix4x4());
    }
    return places;
  }

  /// The bones' places when their meshes were bound. Of two meshes of one bone the one with more
  /// bones counts: the other is something that is worn.
  void find_binds() {
    const std::vector<aiMatrix4x4> place = places();
    std::vector<std::optional<std::size_t>> owner(scene_.mNumMeshes);
    for (std::size_t at = 0; at < nodes_.size(); ++at) {
      const aiNode& node = *nodes_[at].node;
      for (unsigned i = 0; i < node.mNumMeshes; ++i) {
        if (node.mMeshes[i] < owner.size()) owner[node.mMeshes[i]] = at;
      }
    }
    std::vector<unsigned> order;
    for (unsigned mesh = 0; mesh < scene_.mNumMeshes; ++mesh) order.push_back(mesh);
    std::stable_sort(order.begin(), order.end(), [this](unsigned a, unsigned b) {
      return scene_.mMeshes[a]->mNumBones > scene_.mMeshes[b]->mNumBones;
    });
    binds_.resize(nodes_.size());
    for (const unsigned mesh : order) {
      if (!owner[mesh]) continue;
      const aiMesh& bound = *scene_.mMeshes[mesh];
      for (unsigned bone = 0; bone < bound.mNumBones; ++bone) {
        const auto found = position_.find(text_of(bound.mBones[bone]->mName));
        if (found == position_.end() || binds_[found->second]) continue;
        aiMatrix4x4 to_mesh = bound.mBones[bone]->mOffsetMatrix;
        binds_[found->second] = place[*owner[mesh]] * to_mesh.Inverse();
      }
    }
  }

  void write_setting(std::string_view key, const char* name) {
    std::int32_t value = 0;
    if (scene_.mMetaData != nullptr && scene_.mMetaData->Get(name, value)) {
      append(R"(,"{}":{})", key, value);
    } else {
      append(R"(,"{}":null)", key);
    }
  }

  void write_unit() {
    out_ += R"(,"centimetres_per_unit":)";
    float single = 0.0F;
    double unit = 0.0;
    const aiMetadata* settings = scene_.mMetaData;
    if (settings != nullptr && settings->Get("UnitScaleFactor", single)) {
      number(single);
    } else if (settings != nullptr && settings->Get("UnitScaleFactor", unit)) {
      number(unit);
    } else {
      out_ += "null";
    }
  }

  /// A bone of a mesh, or a model that is neither a plain transform nor something to look at or by.
  bool is_limb(const aiNode& node) const {
    const std::string name(text_of(node.mName));
    if (bones_.count(name) != 0) return true;
    bool is_null = true;
    const bool is_model = node.mMetaData != nullptr && node.mMetaData->Get("IsNull", is_null);
    return is_model && !is_null && node.mNumMeshes == 0 && others_.count(name) == 0;
  }

  /// Row by row, without the last.
  void write_matrix(const aiMatrix4x4& m) {
    const std::array<ai_real, 12> rows{m.a1, m.a2, m.a3, m.a4, m.b1, m.b2,
                                       m.b3, m.b4, m.c1, m.c2, m.c3, m.c4};
    char before = '[';
    for (const ai_real value : rows) {
      out_ += before;
      number(value);
      before = ',';
    }
    out_ += "]";
  }

  void write_nodes() {
    out_ += R"(,"nodes":[)";
    for (std::size_t at = 0; at < nodes_.size() && !is_full(); ++at) {
      const aiNode& node = *nodes_[at].node;
      out_ += at == 0 ? R"({"name":)" : R"(,{"name":)";
      quote(text_of(node.mName));
      if (nodes_[at].parent) {
        append(R"(,"parent":{})", *nodes_[at].parent);
      } else {
        out_ += R"(,"parent":null)";
      }
      append(R"(,"is_limb":{},"matrix":)", is_limb(node));
      write_matrix(node.mTransformation);
      if (binds_[at]) {
        out_ += R"(,"bind":)";
        write_matrix(*binds_[at]);
      }
      out_ += "}";
    }
    out_ += "]";
  }

  template <class Key, class Write>
  void write_keys(std::string_view name, const Key* keys, unsigned count, Write&& write) {
    append(R"(,"{}":{{"times":[)", name);
    for (unsigned i = 0; i < count && !is_full(); ++i) {
      if (i != 0) out_ += ',';
      number(keys[i].mTime);
    }
    out_ += R"(],"values":[)";
    for (unsigned i = 0; i < count && !is_full(); ++i) {
      if (i != 0) out_ += ',';
      write(keys[i].mValue);
    }
    out_ += "]}";
  }

  void write_channel(const aiNodeAnim& channel, std::size_t node) {
    const auto vector = [this](const aiVector3D& v) {
      number(v.x), out_ += ',', number(v.y), out_ += ',', number(v.z);
    };
    const auto quaternion = [this](const aiQuaternion& q) {
      number(q.x), out_ += ',', number(q.y), out_ += ',', number(q.z), out_ += ',', number(q.w);
    };
    append(R"({{"node":{})", node);
    write_keys("translation", channel.mPositionKeys, channel.mNumPositionKeys, vector);
    write_keys("rotation", channel.mRotationKeys, channel.mNumRotationKeys, quaternion);
    write_keys("scale", channel.mScalingKeys, channel.mNumScalingKeys, vector);
    out_ += "}";
  }

  void write_animations() {
    out_ += R"(,"animations":[)";
    for (unsigned i = 0; i < scene_.mNumAnimations && !is_full(); ++i) {
      const aiAnimation& animation = *scene_.mAnimations[i];
      out_ += i == 0 ? R"({"name":)" : R"(,{"name":)";
      quote(text_of(animation.mName));
      out_ += R"(,"ticks_per_second":)";
      number(animation.mTicksPerSecond);
      out_ += R"(,"duration":)";
      number(animation.mDuration);
      out_ += R"(,"channels":[)";
      bool is_first = true;
      for (unsigned at = 0; at < animation.mNumChannels && !is_full(); ++at) {
        const auto found = position_.find(text_of(animation.mChannels[at]->mNodeName));
        if (found == position_.end()) continue;
        if (!is_first) out_ += ',';
        is_first = false;
        write_channel(*animation.mChannels[at], found->second);
      }
      out_ += "]}";
    }
    out_ += "]";
  }

  const aiScene& scene_;
  std::size_t max_size_;
  std::string out_;
  std::unordered_set<std::string> bones_;
  std::unordered_set<std::string> others_;  ///< cameras and lights
  std::vector<NodeBelow> nodes_;
  std::unordered_map<std::string_view, std::size_t> position_;
  std::vector<std::optional<aiMatrix4x4>> binds_;  ///< of `nodes_`
};

}  // namespace

std::optional<std::string> scene_json(const aiScene& scene, std::size_t max_size) {
  return SceneWriter(scene, max_size).write();
}
