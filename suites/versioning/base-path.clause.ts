import { failOr, pass } from '../../src/clause/halt.ts';
import { finding } from '../../src/expect/expect.ts';
import { defineClause } from '../define.ts';

export const basePath = defineClause({
  id: 'versioning.base-path',
  chapter: 'versioning',
  section: 'Versioning',
  quote: ['The base address of each deployment ends in the path segment `/v1`.'],
  level: 'required',
  requirement: 'The base address of the service ends in the path segment /v1.',
  likelyCause:
    'A proxy strips the version segment, or it was never configured; or the suite was given a different address than clients use.',
  checks: [
    {
      id: 'ends-in-v1',
      title: 'The base address ends in /v1',
      step: 'read',
      given: ['petList'],
      smoke: true,
      fault: 'base-path-without-version',
      run: async (s, { petList: { exchange } }) => {
        const { pathname } = new URL(s.options.baseUrl);
        const expected = ['a path whose last segment is /v1'];
        const summary = `the path of the base address is ${pathname}; expected it to end in /v1`;
        const wrong = /\/v1$/.test(pathname) ? undefined : finding([exchange], { summary, expected, received: `path ${pathname}` });
        return failOr([wrong], pass(`the service responds under ${pathname}`));
      },
    },
  ],
});
