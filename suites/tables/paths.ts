// Other spellings of a path, which a router may take for it while middleware that compares paths does not.

import type { Table } from '../../src/session/vector.ts';
import { type About, literals } from './block.ts';

const READ: About = { effect: 'read', since: '2.0' };

type Spelling = (path: string) => string;

export const DOCUMENTED_PATH = literals<'documented', Spelling>(READ, { documented: (path) => path });

/** With the key, as good as none (`GET /pets?`, as form libraries write it); without it, a filter that compares whole URLs may not know it. */
export const EMPTY_QUERY = literals<'empty query', Spelling>(READ, { 'empty query': (path) => `${path}?` });

/** The last segment, percent-encoded throughout. */
const encodeLast: Spelling = (path) =>
  path.replace(/[^/]+$/, (last) => [...last].map((one) => `%${one.charCodeAt(0).toString(16)}`).join(''));

/** Served or not: only rules that name them judge the response. Routers make the documented path of these. */
export const REWRITTEN_PATHS = literals<string, Spelling>(READ, {
  'slash at the end': (path) => `${path}/`,
  'two slashes at the start': (path) => `/${path}`,
  capitals: (path) => path.toUpperCase(),
});

/** The same for other spellings, some of which name nothing. */
export const OTHER_PATHS = literals<string, Spelling>(READ, {
  'two slashes inside': (path) => path.replace('/pets/', '/pets//'),
  'dot segment': (path) => `/.${path}`,
  'dot segment inside': (path) => path.replace('/pets/', '/pets/./'),
  'dot segments': (path) => `/x/..${path}`,
  'dot segments with a semicolon': (path) => `/x/..;${path}`,
  'matrix parameter': (path) => `${path};v=1`,
  'semicolon and a slash': (path) => `${path};/`,
  'encoded letter': (path) => path.replace('/p', '/%70'),
  'letter encoded twice': (path) => path.replace('/p', '/%2570'),
  'last segment encoded': encodeLast,
  'encoded slash': (path) => `${path}%2f`,
  'one capital': (path) => path.replace('/p', '/P'),
  'extension .json': (path) => `${path}.json`,
});

export const PATHS: Table<Spelling> = {
  usual: 'documented',
  values: { ...DOCUMENTED_PATH, ...EMPTY_QUERY, ...REWRITTEN_PATHS, ...OTHER_PATHS },
};
