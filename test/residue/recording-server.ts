import type { Attacker } from '../hostile/attack.ts';
import { conformingUntil } from '../hostile/forward.ts';
import { message, type RawRequest } from '../hostile/raw-server.ts';

export const KEY = 'residue-run-key-0123456789';

export type Recording = {
  readonly server: Attacker;
  readonly requests: readonly Pick<RawRequest, 'method' | 'target' | 'headers' | 'body'>[];
  /** Requests that create an animal, whatever their body. */
  posts(): readonly Pick<RawRequest, 'body' | 'headers'>[];
};

export type RecordingOptions = {
  /** Stores what it should reject: returns 201 to every POST, whatever its body and its sender. */
  readonly storesAll?: boolean;
  /** Closes the connection instead of responding; nothing is stored. */
  readonly losesAnswers?: (request: RawRequest, post: number) => boolean;
  /** The initial number of animals; 7 by default. */
  readonly seedAnimals?: number;
};

/** A conforming server that records everything it receives. */
export async function startRecording(options: RecordingOptions = {}): Promise<Recording> {
  const requests: RawRequest[] = [];
  const posts = () => requests.filter(({ method }) => method === 'POST');
  let id = 1_000_000;
  const server = await conformingUntil(
    (request, genuine) => {
      requests.push(request);
      if (request.method === 'POST' && options.losesAnswers?.(request, posts().length) === true) request.socket.destroy();
      else if (request.method === 'POST' && options.storesAll === true) {
        id += 1;
        request.socket.write(message('201 Created', `{"id":${id},"name":"kept","categoryId":1,"status":"sold"}`));
      } else genuine();
    },
    { apiKey: KEY, ...(options.seedAnimals === undefined ? {} : { seedAnimals: options.seedAnimals }) },
  );
  return { server, requests, posts };
}
