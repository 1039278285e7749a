#include "fbx/objects.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "fbx/euler.hpp"
#include "scene/affine.hpp"
#include "scene/mesh.hpp"
#include "scene/rest_pose.hpp"

namespace mabkit::fbx {
namespace {

// What FBX 7.4 calls the versions of its objects.
constexpr std::int32_t model_version = 232;
constexpr std::int32_t geometry_version = 124;
constexpr std::int32_t pose_version = 100;
constexpr std::int32_t skin_version = 101;
constexpr std::int32_t cluster_version = 100;
/// `InheritType`: a node's matrix is its parent's times its own.
constexpr std::int32_t inherits_whole_matrix = 1;

/// Column by column, in centimetres.
std::array<double, 16> matrix_of(const scene::Affine& world) {
  std::array<double, 16> out{};
  for (std::size_t column = 0; column < 3; ++column) {
    for (std::size_t row = 0; row < 3; ++row) {
      out[4 * column + row] = world.linear[3 * row + column];
    }
    out[12 + column] = unit_scale * world.offset[column];
  }
  out[15] = 1.0;
  return out;
}

class ModelWriter {
 public:
  ModelWriter(NodeWriter& out, ObjectTable& objects, const scene::NodeTree& tree)
      : out_(out), objects_(objects), tree_(tree), worlds_(rest_worlds(tree)) {}

  std::vector<std::int64_t> write() && {
    root_ = write_model(tree_.root_name, "Null", "Null", {}, ObjectTable::scene);
    for (std::size_t node = 0; node < tree_.nodes.size(); ++node) {
      models_.push_back(objects_.next_id());
    }
    for (std::size_t node = 0; node < tree_.nodes.size(); ++node) write_joint(node);
    if (!tree_.nodes.empty()) write_mesh();
    return std::move(models_);
  }

 private:
  void write_attribute(std::string_view name, std::string_view kind, std::string_view flags,
                       std::int64_t model) {
    const std::int64_t id = objects_.next_id();
    out_.begin("NodeAttribute");
    out_.value(id);
    out_.object_name(name, "NodeAttribute");
    out_.value(kind);
    out_.leaf("TypeFlags", flags);
    out_.end();
    objects_.connect(id, model);
  }

  void write_model(std::int64_t id, std::string_view name, std::string_view kind,
                   const scene::Trs& rest) {
    out_.begin("Model");
    out_.value(id);
    out_.object_name(name, "Model");
    out_.value(kind);
    out_.leaf("Version", model_version);
    out_.begin("Properties70");
    out_.property("RotationActive", "bool", "", "", std::int32_t{1});
    out_.property("InheritType", "enum", "", "", inherits_whole_matrix);
    out_.property("DefaultAttributeIndex", "int", "Integer", "", std::int32_t{0});
    const Vec3& t = rest.translation;
    out_.property("Lcl Translation", "Lcl Translation", "", "A", unit_scale * t.x, unit_scale * t.y,
                  unit_scale * t.z);
    const Angles angles = angles_near(to_rotation(rest.rotation), {});
    out_.property("Lcl Rotation", "Lcl Rotation", "", "A", angles[0], angles[1], angles[2]);
    const Vec3& s = rest.scale;
    out_.property("Lcl Scaling", "Lcl Scaling", "", "A", double{s.x}, double{s.y}, double{s.z});
    out_.end();
    out_.leaf("Shading", true);
    out_.leaf("Culling", "CullingOff");
    out_.end();
  }

  /// A model of its own with an attribute.
  std::int64_t write_model(std::string_view raw_name, std::string_view kind, std::string_view flags,
                           const scene::Trs& rest, std::int64_t parent) {
    const std::string name = fbx_name(raw_name);
    const std::int64_t id = objects_.next_id();
    write_attribute(name, kind, flags, id);
    write_model(id, name, kind, rest);
    objects_.connect(id, parent);
    return id;
  }

  void write_joint(std::size_t position) {
    const scene::Node& node = tree_.nodes[position];
    const std::string name = fbx_name(node.name);
    write_attribute(name, "LimbNode", "Skeleton", models_[position]);
    write_model(models_[position], name, "LimbNode", rest_y_up(node));
    objects_.connect(models_[position], node.parent ? models_[*node.parent] : root_);
  }

  /// The mesh's model needs a name that no joint has.
  std::string mesh_name() const {
    std::string name = fbx_name(tree_.root_name) + "_proxy";
    const auto is_taken = [&] {
      return std::any_of(tree_.nodes.begin(), tree_.nodes.end(),
                         [&](const scene::Node& node) { return node.name == name; });
    };
    while (is_taken()) name += "_mesh";
    return name;
  }

  void write_mesh() {
    const std::string name = mesh_name();
    const std::int64_t model = objects_.next_id();
    const scene::ProxyMesh mesh = build_proxy_mesh(tree_, worlds_);
    const std::int64_t geometry = write_geometry(name, mesh);
    write_model(model, name, "Mesh", {});
    objects_.connect(model, root_);
    objects_.connect(geometry, model);
    write_skin(name, mesh, geometry);
    write_bind_pose(name, model);
  }

  std::int64_t write_geometry(std::string_view name, const scene::ProxyMesh& mesh) {
    std::vector<double> vertices;
    vertices.reserve(3 * mesh.positions.size());
    for (const Vec3& p : mesh.positions) {
      vertices.insert(vertices.end(), {unit_scale * p.x, unit_scale * p.y, unit_scale * p.z});
    }
    // The last corner of a polygon is marked by its complement.
    std::vector<std::int32_t> corners;
    corners.reserve(mesh.triangles.size());
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
      const auto vertex = static_cast<std::int32_t>(mesh.triangles[i]);
      corners.push_back(i % 3 == 2 ? ~vertex : vertex);
    }
    const std::int64_t id = objects_.next_id();
    out_.begin("Geometry");
    out_.value(id);
    out_.object_name(name, "Geometry");
    out_.value("Mesh");
    out_.leaf("GeometryVersion", geometry_version);
    out_.array_leaf<double>("Vertices", vertices);
    out_.array_leaf<std::int32_t>("PolygonVertexIndex", corners);
    out_.end();
    return id;
  }

  void write_skin(std::string_view name, const scene::ProxyMesh& mesh, std::int64_t geometry) {
    const std::int64_t skin = objects_.next_id();
    out_.begin("Deformer");
    out_.value(skin);
    out_.object_name(name, "Deformer");
    out_.value("Skin");
    out_.leaf("Version", skin_version);
    out_.leaf("Link_DeformAcuracy", 50.0);
    out_.leaf("SkinningType", "Linear");
    out_.end();
    objects_.connect(skin, geometry);

    std::vector<std::vector<std::int32_t>> vertices_of_node(tree_.nodes.size());
    for (std::size_t vertex = 0; vertex < mesh.node_of_vertex.size(); ++vertex) {
      vertices_of_node[mesh.node_of_vertex[vertex]].push_back(static_cast<std::int32_t>(vertex));
    }
    for (std::size_t node = 0; node < tree_.nodes.size(); ++node) {
      if (tree_.nodes[node].role != scene::NodeRole::fixed) {
        write_cluster(node, vertices_of_node[node], skin);
      }
    }
  }

  /// What a joint moves. A joint without vertices has one as well: importers take the bind pose
  /// from it.
  void write_cluster(std::size_t node, const std::vector<std::int32_t>& vertices,
                     std::int64_t skin) {
    const std::int64_t id = objects_.next_id();
    out_.begin("Deformer");
    out_.value(id);
    out_.object_name(fbx_name(tree_.nodes[node].name), "SubDeformer");
    out_.value("Cluster");
    out_.leaf("Version", cluster_version);
    out_.leaf("UserData", "", "");
    if (!vertices.empty()) {
      out_.array_leaf<std::int32_t>("Indexes", vertices);
      out_.array_leaf<double>("Weights", std::vector<double>(vertices.size(), 1.0));
    }
    // The mesh stands at the origin, so its place seen from the joint undoes the joint's.
    const scene::Affine inverse = worlds_[node].inverse().value_or(scene::Affine{});
    out_.array_leaf<double>("Transform", matrix_of(inverse));
    out_.array_leaf<double>("TransformLink", matrix_of(worlds_[node]));
    out_.end();
    objects_.connect(id, skin);
    objects_.connect(models_[node], id);
  }

  void write_bind_pose(std::string_view name, std::int64_t mesh) {
    out_.begin("Pose");
    out_.value(objects_.next_id());
    out_.object_name(name, "Pose");
    out_.value("BindPose");
    out_.leaf("Type", "BindPose");
    out_.leaf("Version", pose_version);
    out_.leaf("NbPoseNodes", static_cast<std::int32_t>(models_.size() + 2));
    write_pose_node(root_, {});
    write_pose_node(mesh, {});
    for (std::size_t node = 0; node < models_.size(); ++node) {
      write_pose_node(models_[node], worlds_[node]);
    }
    out_.end();
  }

  void write_pose_node(std::int64_t model, const scene::Affine& world) {
    out_.begin("PoseNode");
    out_.leaf("Node", model);
    out_.array_leaf<double>("Matrix", matrix_of(world));
    out_.end();
  }

  NodeWriter& out_;
  ObjectTable& objects_;
  const scene::NodeTree& tree_;
  std::vector<scene::Affine> worlds_;
  std::int64_t root_ = 0;
  std::vector<std::int64_t> models_;
};

}  // namespace

std::string fbx_name(std::string_view name) {
  constexpr char first_printable = ' ';
  std::string out(name);
  for (char& c : out) {
    if (c >= 0 && c < first_printable) c = '_';
  }
  return out;
}

void ObjectTable::write_connections(NodeWriter& out) const {
  out.begin("Connections");
  for (const Link& link : links_) {
    if (link.property.empty()) {
      out.leaf("C", "OO", link.child, link.parent);
    } else {
      out.leaf("C", "OP", link.child, link.parent, link.property);
    }
  }
  out.end();
}

std::vector<std::int64_t> write_models(NodeWriter& out, ObjectTable& objects,
                                       const scene::NodeTree& tree) {
  return ModelWriter(out, objects, tree).write();
}

}  // namespace mabkit::fbx
