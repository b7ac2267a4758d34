// Who may import whom. Tests may import anything.
const room = (name, allowed, modules = []) => ({
  name: `${name}-imports`,
  severity: 'error',
  from: { path: `^${name}/`, pathNot: '\\.test\\.ts$' },
  to: {
    path: '^(src|suites)/',
    pathNot: `^(${[name, ...allowed].join('|')})/${modules.map((path) => `|^${path}$`).join('')}`,
  },
});
// A module that may be imported for its types only: nothing of it is there when the program runs.
const typesOnly = (name, path) => ({
  name: `${name}-imports-types-only`,
  severity: 'error',
  from: { path: `^${name}/`, pathNot: '\\.test\\.ts$' },
  to: { path: `^${path}$`, dependencyTypesNot: ['type-only'] },
});
const CLAUSE_IDS = 'src/clause/clause-ids\\.ts';
// Judges nothing, so that a mistake in it cannot be the same on both sides.
const SIMILAR_NAMES = 'src/clause/similar-names\\.ts';
const base = ['src/clause', 'src/wire', 'src/schema'];
const session = [...base, 'src/session'];
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    { name: 'no-cycles-of-types', severity: 'error', from: { pathNot: '^src/(clause|oracle)/' }, to: { circular: true } },
    room('src/wire', []),
    room('src/secrets', ['src/wire']),
    room('src/clause', ['src/wire']),
    room('src/schema', ['src/clause', 'src/wire']),
    room('src/session', base),
    room('src/arbitraries', session),
    room('src/oracle', session),
    room('src/plan', session),
    room('suites', [...session, 'src/arbitraries', 'src/oracle', 'src/plan']),
    room('src/judge', [...session, 'src/oracle', 'src/plan']),
    room('src/diagnosis', ['src/clause', 'src/wire']),
    room('src/report', ['src/clause', 'src/wire', 'src/diagnosis']),
    room('src/gate', [...session, 'src/oracle', 'src/judge', 'suites']),
    room('src/library', [
      ...session,
      'src/arbitraries',
      'src/oracle',
      'src/judge',
      'src/gate',
      'src/report',
      'src/diagnosis',
      'src/secrets',
      'suites',
    ]),
    room('src/probe', [...session, 'src/oracle', 'src/plan', 'src/judge', 'src/report', 'src/diagnosis', 'src/secrets', 'suites']),
    room('src/reference', ['schemas'], [CLAUSE_IDS, SIMILAR_NAMES]),
    typesOnly('src/reference', CLAUSE_IDS),
    {
      name: 'product-imports-nothing-around-it',
      severity: 'error',
      from: { path: '^(src|suites)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(test|bench|proof|corpora)/' },
    },
    {
      name: 'process-lives-in-cli',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/|\\.test\\.ts$' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'report-sees-no-raw-exchange',
      severity: 'error',
      from: { path: '^src/(report|diagnosis)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/wire/(client|json|body)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    includeOnly: '^(src|suites|schemas|test|bench|proof|corpora)/',
    parser: 'swc',
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
  },
};
