#if Sharing
import StreamHub

await StreamhubTool.main()
#else
import CLibrary

fputs("error: build streamhub with its trait: swift build --product streamhub --enable-all-traits\n", stderr)
exit(2)
#endif
