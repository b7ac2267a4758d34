// Where a configuration comes from: its files, and whether they have changed since it was read.

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { codeOf } from '../../wire/wording.ts';

/** Bytes: no file that a configuration names may be this large. */
const TOO_LARGE = 32 * 1024 * 1024;

/** Milliseconds for which a file was left alone before it was read: two changes at the same tick of its file system's clock look like one. */
const LEFT_ALONE = 2_000;

type Known = { readonly stamp: string; readonly digest: string; readonly wasLeftAlone: boolean };

/** Says what a path leads to, through all links, as a text that differs if the content does. A file is read again only if it may be another. */
function createDigests(): (path: string) => string {
  const known = new Map<string, Known>();
  return (path) => {
    try {
      const file = statSync(path, { bigint: true });
      const stamp = `${file.dev} ${file.ino} ${file.size} ${file.mtimeNs} ${file.ctimeNs}`;
      // A pipe gives its text only once, to whoever needs it.
      if (!file.isFile()) return `${file.dev} ${file.ino}`;
      if (file.size > TOO_LARGE) return stamp;
      const last = known.get(path);
      if (last?.stamp === stamp && last.wasLeftAlone) return last.digest;
      const digest = createHash('sha256').update(readFileSync(path)).digest('base64');
      known.set(path, { stamp, digest, wasLeftAlone: Date.now() - Number(file.ctimeMs) > LEFT_ALONE });
      return digest;
    } catch (error) {
      return codeOf(error) ?? 'unreadable';
    }
  };
}

/** `onFile` is called with the path of each file before it is read, also by a reading that fails. */
export type ReadConfig<Config> = (onFile: (path: string) => void) => Config;

export type ConfigSource<Config> = {
  /** Reads the configuration with all of its files; throws what the reading throws. */
  read(): Config;
  /**
   * Whether to read again: its files are not those of the last reading, whether that succeeded or not, and nobody is writing them, because they
   * are what they were at the last call.
   */
  hasChanged(): boolean;
};

/** File systems report changes of links, mounts and networks unreliably: the files are looked at instead. */
export function createConfigSource<Config>(read: ReadConfig<Config>): ConfigSource<Config> {
  const digestOf = createDigests();
  let files: readonly string[] = [];
  let last = '';
  let seen = '';

  return {
    read() {
      const digests = new Map<string, string>();
      try {
        return read((path) => {
          if (!digests.has(path)) digests.set(path, digestOf(path));
        });
      } finally {
        files = [...digests.keys()];
        last = [...digests.values()].join('\n');
      }
    },
    hasChanged() {
      const now = files.map(digestOf).join('\n');
      const isSettled = now === seen;
      seen = now;
      return isSettled && now !== last;
    },
  };
}
