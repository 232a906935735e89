// Keeps the records with z > 0.25 and prints their device and twice their z: simdjson's on-demand reader.
#include <simdjson.h>
#include <sys/stat.h>

#include <charconv>
#include <cstdio>
#include <string>

int main() {
  std::string input;
  struct stat status;
  if (fstat(0, &status) == 0) input.reserve(status.st_size + simdjson::SIMDJSON_PADDING);
  char chunk[1 << 18];
  size_t count;
  while ((count = fread(chunk, 1, sizeof chunk, stdin)) > 0) input.append(chunk, count);
  input.reserve(input.size() + simdjson::SIMDJSON_PADDING);

  simdjson::ondemand::parser parser;
  simdjson::ondemand::document_stream records;
  if (parser.iterate_many(input.data(), input.size(), 1 << 20).get(records)) return 2;
  std::string output;
  for (auto record : records) {
    // The fields are read in the order in which they stand there.
    std::string_view device;
    double z;
    if (record["device"].get_string().get(device) || record["z"].get_double().get(z)) return 2;
    if (!(z > 0.25)) continue;
    char digits[32];
    char *end = std::to_chars(digits, digits + sizeof digits, z * 2).ptr;
    output += "{\"device\":\"";
    output += device;
    output += "\",\"z\":";
    output.append(digits, end);
    output += "}\n";
    if (output.size() > 1 << 16) {
      fwrite(output.data(), 1, output.size(), stdout);
      output.clear();
    }
  }
  fwrite(output.data(), 1, output.size(), stdout);
}
