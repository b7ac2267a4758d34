// petstore-conformance run --own-clauses examples/own-clauses
import { defineClause, failOr, pass, petsOf } from '@petstore-conformance/cli';

export const clauses = [
  defineClause({
    id: 'acme:list.names',
    section: 'House rules of Acme, 4: names',
    level: 'required',
    requirement: 'Lists show animals by a name that is not empty.',
    likelyCause: 'The import of the old catalog left names out.',
    checks: [
      {
        id: 'first-list',
        title: 'GET /pets shows no animal without a name',
        step: 'read',
        given: ['petList'],
        async run(_session, { petList: { exchange } }) {
          const nameless = petsOf(exchange).filter(({ name }) => name === '');
          const findings = nameless.map(({ id }) => ({
            summary: `GET /pets shows animal ${id} with an empty name`,
            expected: ['a name'],
            received: '""',
            exchanges: [exchange],
          }));
          return failOr(findings, pass(`${petsOf(exchange).length} animals have names`));
        },
      },
    ],
    invariants: [
      {
        id: 'no-server-header',
        title: 'No response names the software of the server',
        judge({ outcome }) {
          if (outcome.kind === 'failed') return 'not-applicable';
          const [, software] = outcome.answer.headers.find(([name]) => name === 'server') ?? [];
          if (software === undefined) return 'holds';
          return { summary: `a response names its software: ${software}`, expected: ['no server header'], received: software };
        },
      },
    ],
  }),
];
