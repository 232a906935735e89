import StreamHub

await StreamhubTool.main()
