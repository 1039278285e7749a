#pragma once

#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>

/// What holds of every result of reading a file that may be damaged.
namespace mabkit::test {

/// Expects that a bank points at nothing that it lacks and that the times of its curves rise.
void expect_whole(const Bank& bank);

/// Expects that an error is about the file's content and says what is wrong; where it has an
/// offset, at one within the `size` bytes.
void expect_told(const Error& error, std::uint64_t size);

}  // namespace mabkit::test
