import Foundation
import PackagePlugin

/// Generates the file that names the commit from which a command is built.
///
/// It runs when a build is planned, and rewrites the file only when the commit has changed: then one file of each command
/// is compiled, and the commands are linked. SwiftPM keeps the plan of a package whose files have kept their names, unless
/// it is called with `--disable-build-manifest-caching`, as `scripts/package.sh` does.
@main
struct CommitVersion: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
    let folder = context.package.directoryURL
    let output = context.pluginWorkDirectoryURL
    return [
      .prebuildCommand(
        displayName: "Naming the commit", executable: URL(fileURLWithPath: "/bin/sh"),
        arguments: [
          folder.appending(path: "Plugins/CommitVersion/commit.sh").path, folder.path, output.path,
        ], outputFilesDirectory: output)
    ]
  }
}
