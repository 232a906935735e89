internal import CLibrary
import StreamCommands

exit(StreamrunTool.main(commit: buildCommit))
