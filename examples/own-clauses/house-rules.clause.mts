// petstore-conformance run --own-clauses examples/own-clauses
import { defineClause, describeRequest, describeResponse } from '@petstore-conformance/cli';

const ACCEPTED = 201;
const GERMAN = /^[a-z]*[äöüß][a-zäöüß]*$/i;

export const clauses = [
  // It looks at every creation of the run, whoever sends it, and sends two with the same name itself.
  defineClause({
    id: 'acme:create.unique-names',
    section: 'House rules of Acme, 4: names',
    level: 'advised',
    requirement: 'A name that an animal has is not given to another one.',
    likelyCause: 'The column of the names has no unique index.',
    rules: [
      {
        layer: 'history',
        judge({ exchange, intent, sent, status }, { known }) {
          if (intent.sent === undefined || intent.credential !== 'valid' || status === undefined) return 'not-applicable';
          const { name } = intent.sent;
          const owner = known.created.values().find((animal) => animal.sent.name === name && animal.createdAt < sent);
          if (owner === undefined) return 'not-applicable';
          if (status !== ACCEPTED) return 'holds';
          return {
            summary: `POST /pets gave the name of animal ${owner.id} to another one: ${JSON.stringify(name)}`,
            expected: ['a rejection'],
            received: describeResponse(exchange),
            exchanges: [owner.exchange, exchange],
          };
        },
      },
    ],
    rows: [
      { op: 'create', name: 'namesake' },
      { op: 'create', name: 'namesake' },
    ],
    met: [{ id: 'every-creation', title: 'No creation was accepted with a name that was taken', absent: 'no name was sent twice' }],
  }),

  // The document leaves open which names are accepted. Acme does not: so a request of its own makes sure that there is a case.
  defineClause({
    id: 'acme:create.umlauts',
    section: 'House rules of Acme, 5: names',
    level: 'required',
    requirement: 'Names may have umlauts.',
    likelyCause: 'The pattern for names allows the letters of English only.',
    rules: [
      {
        layer: 'values',
        after: ['create.success'],
        judge({ exchange, intent, status }) {
          const { sent, body } = intent;
          if (sent === undefined || body === 'invalid' || intent.credential !== 'valid') return 'not-applicable';
          if (status === undefined || !GERMAN.test(sent.name)) return 'not-applicable';
          if (status === ACCEPTED) return 'holds';
          return {
            summary: `${describeRequest(exchange)} rejected the name ${JSON.stringify(sent.name)}`,
            expected: ['201'],
            received: describeResponse(exchange),
          };
        },
      },
    ],
    // A plain name and then an umlaut: the document allows 201, exactly as sent, or 400.
    rows: [{ op: 'create', name: '=>"ä"' }],
    met: [{ id: 'every-creation', title: 'Every name with umlauts was accepted' }],
  }),

  // A header that every response must have, or must not have.
  defineClause({
    id: 'acme:headers.no-software',
    section: 'House rules of Acme, 9: headers',
    level: 'required',
    requirement: 'No response names the software of the server.',
    likelyCause: 'The default of the web server is on.',
    rules: [
      {
        layer: 'values',
        judge({ response }) {
          if (response === undefined) return 'not-applicable';
          const [, software] = response.headers.find(([name]) => name === 'server') ?? [];
          if (software === undefined) return 'holds';
          return { summary: `a response names its software: ${software}`, expected: ['no Server header'], received: software };
        },
      },
    ],
  }),
];
