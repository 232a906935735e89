import StreamStudio

await StreamstudioTool.main(commit: buildCommit)
