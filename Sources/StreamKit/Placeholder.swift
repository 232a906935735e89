import StreamCore
