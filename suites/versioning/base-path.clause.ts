import type { InvariantJudgement } from '../../src/clause/clause.ts';
import type { Event, World } from '../../src/oracle/world.ts';
import { defineRules } from '../define.ts';

function judgeAddress({ pets }: Event, { known: { baseUrl } }: World): InvariantJudgement {
  if (pets === undefined || pets.length === 0) return 'not-applicable';
  const { pathname } = new URL(baseUrl);
  if (/\/v1$/.test(pathname)) return 'holds';
  return {
    summary: `the path of the base address is ${pathname}; expected it to end in /v1`,
    expected: ['a path whose last segment is /v1'],
    received: `path ${pathname}`,
    failureKinds: [{ place: 'base path', expected: '/v1 at its end', received: 'another path' }],
  };
}

export const basePath = defineRules({
  id: 'versioning.base-path',
  chapter: 'versioning',
  section: 'Versioning',
  quote: ['The base address of each deployment ends in the path segment `/v1`.'],
  level: 'required',
  requirement: 'The base address of the service ends in the path segment /v1.',
  likelyCause:
    'A proxy strips the version segment, or it was never configured; or the suite was given a different address than clients use.',
  rules: [{ layer: 'values', judge: judgeAddress }],
  sent: [
    {
      id: 'ends-in-v1',
      title: 'The base address ends in /v1',
      step: 'read',
      needs: ['petList'],
      smoke: true,
      send: async (s) => s.api.list({ limit: 1 }),
    },
  ],
});
