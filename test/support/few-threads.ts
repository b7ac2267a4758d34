import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A server with a thread for each connection, and so many of them, in front of another one on loopback: while all are taken, further connections are
 * accepted by the system and wait.
 */
export async function startThreads(
  threads: number,
  port: number,
): Promise<{ readonly server: Server; readonly close: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const waiting: Socket[] = [];
  let taken = 0;
  function serve(socket: Socket): void {
    if (socket.destroyed) return;
    taken += 1;
    const onward = connect(port, '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    let over = false;
    const end = (): void => {
      if (over) return;
      over = true;
      socket.destroy();
      onward.destroy();
      taken -= 1;
      while (taken < threads && waiting.length > 0) serve(waiting.shift() as Socket);
    };
    for (const one of [socket, onward]) one.on('close', end).on('error', end);
  }
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    if (taken < threads) serve(socket);
    else waiting.push(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    server,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
