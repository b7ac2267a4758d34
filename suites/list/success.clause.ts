import { AFTER_MANY, EMPTY_QUERY, EQUIVALENTS } from '../../src/session/client/equivalent.ts';
import { defineRules } from '../define.ts';
import { accepts } from './lists.ts';

export const listSuccess = defineRules({
  id: 'list.success',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: ['Query parameters (all optional):', 'Success: `200`, body is a Pets array (array of Pet).'],
  level: 'required',
  requirement: 'GET /pets with the API key returns 200 with an array of Pets, with or without parameters.',
  likelyCause: 'The route is missing, a parameter became mandatory, or an empty or partial page has a different status (204, 206, 404).',
  rules: [{ layer: 'status', judge: accepts('neither') }],
  sent: [
    {
      id: 'without-parameters',
      title: 'A list without parameters returns 200 with animals',
      step: 'read',
      needs: ['petList'],
      smoke: true,
      send: async (s) => s.fixtures.firstList(),
      cases: () => true,
    },
    {
      id: 'any-form',
      title: 'A list returns 200 whatever else clients send, and in whatever form they write it',
      step: 'more-reads',
      needs: ['petList'],
      exhaustive: true,
      send: (s) => s.all(s.portion([...EQUIVALENTS.read, AFTER_MANY, EMPTY_QUERY]), (equivalent) => s.api.list({}, equivalent)),
    },
  ],
  met: [
    {
      id: 'every-list-without-parameters',
      title: 'Every list without parameters returns 200',
    },
  ],
});
