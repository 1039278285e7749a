#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <mabkit/bank.hpp>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace mabkit::test {

/// Bytes of `tests/fixtures/NAME`; throws where it is absent, which fails the test.
[[nodiscard]] std::vector<std::byte> read_fixture(const std::string& name);

/// Names, relative to `tests/fixtures`, of the files in `folder` that end with `extension`, sorted.
[[nodiscard]] std::vector<std::string> fixtures(const std::string& folder,
                                                const std::string& extension);

/// Every `.mab` fixture that is described byte by byte or decoded to a bank.
[[nodiscard]] std::vector<std::string> mab_fixtures();

/// A test name for a fixture: its characters that such names may have.
[[nodiscard]] std::string fixture_test_name(const testing::TestParamInfo<std::string>& test);

/// `read_fixture` parsed as JSON.
[[nodiscard]] nlohmann::json read_fixture_json(const std::string& name);

/// Where `bank` differs from `expected`, a subset of `mabkit.bank/1`, by the tolerances that the
/// fixtures' README states. A key that `expected` has and the bank can't supply is a difference.
/// Empty where they agree; stops after twenty.
[[nodiscard]] std::vector<std::string> differences(const Bank& bank,
                                                   const nlohmann::json& expected);

/// Bytes written as a list of numbers: `bytes({0x4C, 0x00})`.
[[nodiscard]] std::vector<std::byte> bytes(std::initializer_list<int> values);

}  // namespace mabkit::test
