import { failOr, pass } from '../../src/clause/halt.ts';
import { finding } from '../../src/expect/expect.ts';
import { defineClause } from '../define.ts';

export const basePath = defineClause({
  id: 'versioning.base-path',
  chapter: 'versioning',
  section: 'Versioning',
  level: 'required',
  requirement: 'The base address at which the service answers ends in the path segment /v1.',
  likelyCause:
    'The version segment was dropped by a proxy or never configured; or the suite was pointed at another address than the one that clients are given.',
  checks: [
    {
      id: 'ends-in-v1',
      title: 'The base address of the service ends in /v1',
      step: 'read',
      smoke: true,
      fault: 'base-path-without-version',
      run: async (s) => {
        const { exchange } = await s.fixtures.admitted();
        const { pathname } = new URL(s.options.baseUrl);
        const expected = ['a path that ends in the segment /v1'];
        const summary = `the base address ends in ${pathname}, not in /v1`;
        const wrong = /\/v1$/.test(pathname) ? undefined : finding([exchange], { summary, expected, received: `path ${pathname}` });
        return failOr([wrong], pass(`the service answers under ${pathname}`));
      },
    },
  ],
});
