// Who may import whom (docs/architecture.md). Tests may import anything.
const room = (name, allowed) => ({
  name: `${name}-imports`,
  severity: 'error',
  from: { path: `^${name}/`, pathNot: '\\.test\\.ts$' },
  to: { path: '^(src|suites|test|bench)/', pathNot: `^(${[name, ...allowed].join('|')})/` },
});
const base = ['src/clause', 'src/wire', 'src/schema'];
const session = [...base, 'src/expect', 'src/session'];

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    room('src/wire', []),
    room('src/clause', ['src/wire']),
    room('src/schema', ['src/wire']),
    room('src/expect', [...base, 'src/session']),
    room('src/session', [...base, 'src/expect']),
    room('src/arbitraries', session),
    room('suites', [...session, 'src/arbitraries']),
    room('src/judge', session),
    room('src/report', ['src/clause', 'src/wire']),
    room('src/gate', [...session, 'src/judge', 'suites']),
    room('src/probe', [...session, 'src/judge', 'src/report', 'suites']),
    room('src/reference', ['schemas']),
    {
      name: 'process-lives-in-cli',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/|\\.test\\.ts$' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'report-sees-no-raw-exchange',
      severity: 'error',
      from: { path: '^src/report/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/wire/(client|json|body)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    includeOnly: '^(src|suites|schemas)/',
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
  },
};
