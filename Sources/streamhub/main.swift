import StreamHub

await StreamhubTool.main(commit: buildCommit)
