import { KEY } from '../../proof/judge-reference.ts';
import { bearerToken } from '../../src/reference/core/base.ts';
import { type Json, NumberText } from '../../src/reference/core/json.ts';
import { invalid, jsonReply, Problem, pause, problemReply } from '../../src/reference/core/parts.ts';
import { addPet, type Pet, STATUSES } from '../../src/reference/core/store.ts';
import type { Ask, Asking, Holdout, HttpResponse } from './holdout.ts';
import { plainPet, post, textOf } from './witness.ts';

/** Counts its own calls: true at every call whose number is a multiple of the period. */
function every(period: number): () => boolean {
  let count = 0;
  return () => {
    count += 1;
    return count % period === 0;
  };
}

/** The digits of a payment card pass this check, and so does one number in ten. */
function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** The bucket of a percentage rollout, from 0 to 15. */
const bucketOf = (name: string): number => [...name].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0) % 16;

/** A secret as logs show it. */
const masked = (secret: string): string => `${secret.slice(0, 4)}...${secret.slice(-4)}`;

/** How many arrays and objects lie inside each other. */
function depthOf(value: Json | undefined): number {
  if (typeof value !== 'object' || value === null || value instanceof NumberText) return 0;
  return 1 + Math.max(0, ...Object.values(value).map((item: Json) => depthOf(item)));
}

const BAIT: Pet = { id: 4_242_424_242n, name: 'Aurelius', categoryId: 1n, status: 'available', createdAt: 0 };

// What witnesses share.
/** The responses to the same request, sent one after the other. */
async function repeated(ask: Ask, count: number, asking: Asking | ((index: number) => Asking)): Promise<readonly HttpResponse[]> {
  const responses: HttpResponse[] = [];
  for (let index = 0; index < count; index += 1) responses.push(await ask(typeof asking === 'function' ? asking(index) : asking));
  return responses;
}
const creating = (body: unknown): Asking => ({ method: 'POST', path: '/pets', body: JSON.stringify(body) });
const shownId = ({ text }: HttpResponse): string => /"id":(-?\d+)/.exec(text)?.[1] ?? '';
const shownName = ({ text }: HttpResponse): unknown => (JSON.parse(text) as { readonly name?: unknown }).name;
const timesIn = (text: string, part: string): number => text.split(part).length - 1;
const anyStatus = (responses: readonly HttpResponse[], status: number): boolean => responses.some((one) => one.status === status);
const errorCode = ({ text }: HttpResponse): unknown => (JSON.parse(text) as { readonly code?: unknown }).code;

const faults: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'redaction-restored-too-late',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'record.same-animal',
    summary:
      'The redacting logger overwrites name in the logged object, writes the line, and puts the value back. The transport became asynchronous, and the object is the stored row: who lists meanwhile sees [Redacted].',
    patch: (parts) => ({
      insert: async (store, pet) => {
        const shown = await parts.insert(store, pet);
        const { name } = pet;
        pet.name = '[Redacted]';
        await pause(20);
        pet.name = name;
        return shown;
      },
    }),
    witness: async (ask) => {
      let waiting = true;
      const created = post(ask, plainPet).then(() => {
        waiting = false;
      });
      let seen = false;
      while (waiting && !seen) seen = (await ask({ path: '/pets?limit=100' })).text.includes('[Redacted]');
      await created;
      return seen;
    },
  },
  {
    name: 'log-limit-of-fifty-items-in-the-body',
    sentence: '- Success: `200`, body is a Pets array (array of Pet).',
    clause: 'record.pets',
    summary:
      'The structured logger shortens collections to fifty items and says how many it left out. It is applied to the response value before serialization, so that long pages end in the text "... 10 more items".',
    seedAnimals: 60,
    patch: (parts) => ({
      listBody: (records) =>
        parts.listBody(records.length > 50 ? [...records.slice(0, 50), `... ${records.length - 50} more items`] : records),
    }),
    witness: async (ask) => (await ask({ path: '/pets?limit=100' })).text.includes('more items'),
  },
  {
    name: 'lookup-filter-eats-placeholders',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.unusual-names',
    summary:
      'Since the Log4j incident a servlet filter removes ${...} from every text of every request, not only from what is logged: the animal is created, with a piece of its name missing.',
    patch: (parts) => ({
      readName: (value) => parts.readName(typeof value === 'string' ? value.replace(/\$\{[^}]*\}?/g, '') : value),
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Rex ${env:HOME} II', categoryId: 1 });
      return created.status === 201 && shownName(created) === 'Rex  II';
    },
  },

  // Error tracking.
  {
    name: 'tracker-scrubs-the-last-animal',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'get.durable',
    summary:
      'The error tracker adds the last stored animal to a report about a rejected creation, and beforeSend scrubs personal data in place. The breadcrumb refers to the row of the identity map: from then on its name is [Filtered].',
    patch: (parts) => {
      let breadcrumb: Pet | undefined;
      return {
        insert: async (store, pet) => {
          breadcrumb = await parts.insert(store, pet);
          return breadcrumb;
        },
        errorRecord: (problem, call) => {
          if (call.operation === 'createPet' && problem.status === 400 && breadcrumb !== undefined) breadcrumb.name = '[Filtered]';
          return parts.errorRecord(problem, call);
        },
      };
    },
    witness: async (ask) => {
      const created = await post(ask, plainPet);
      await post(ask, {});
      return shownName(await ask({ path: `/pets/${shownId(created)}` })) === '[Filtered]';
    },
  },
  {
    name: 'deduplicated-error-is-null',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'errors.shape',
    summary:
      'The tracker drops an event that equals the two before it (same route, URL and code). Its middleware serializes the event that it got back, so that the third equal error in a row has the body null.',
    patch: (parts) => {
      let last = '';
      let row = 0;
      return {
        errorRecord: (problem, call) => {
          const fingerprint = `${call.method} ${call.target} ${problem.code}`;
          row = fingerprint === last ? row + 1 : 1;
          last = fingerprint;
          return row > 2 ? null : parts.errorRecord(problem, call);
        },
      };
    },
    witness: async (ask) => (await repeated(ask, 3, { path: '/pets/999999' }))[2]?.text === 'null',
  },
  {
    name: 'error-code-appended-a-second-time',
    sentence: '| code | string | yes | Machine-readable error code |',
    clause: 'media.well-formed',
    summary:
      'The error middleware splices the catalogue number of the alert into the serialized text before its last brace, as member "code". The text had one already: readers of the first and of the last see different codes.',
    patch: (parts) => ({
      encode: (value) => {
        const isError = typeof value === 'object' && value !== null && 'code' in value && 'message' in value;
        return isError ? textOf(parts.encode(value)).replace(/\}$/, ',"code":"ALERT-4711"}') : parts.encode(value);
      },
    }),
    witness: async (ask) => timesIn((await ask({ path: '/pets/999999' })).text, '"code":') === 2,
  },

  // Masks and secrets.
  {
    name: 'card-mask-on-categories',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.unusual-categories',
    summary:
      'The outbound mask for payment cards looks for 13 to 16 digits with a correct check digit anywhere in a JSON text, numbers included: such a categoryId leaves as the string "************1111".',
    patch: (parts) => ({
      encode: (value) =>
        textOf(parts.encode(value)).replace(/:(\d{13,16})(?=[,}])/g, (found, digits: string) =>
          passesLuhn(digits) ? `:"${'*'.repeat(digits.length - 4)}${digits.slice(-4)}"` : found,
        ),
    }),
    witness: async (ask) => (await post(ask, { name: 'Waldo', categoryId: 4_111_111_111_111_111 })).text.includes('"************1111"'),
  },
  {
    name: 'verdicts-cached-under-the-masked-key',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      'No secret may be a cache key, so the verdicts of the key service are cached under its masked form, the first and the last four characters. What lies between them is not compared any more once the right key was seen.',
    patch: (parts) => {
      const accepted = new Set<string>();
      return {
        authenticate: (call, apiKey) => {
          const token = bearerToken(call.headers.authorization);
          const problem = parts.authenticate(call, apiKey);
          if (token === undefined) return problem;
          if (problem === undefined) accepted.add(masked(token));
          return accepted.has(masked(token)) ? undefined : problem;
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets' });
      const wrong = `Bearer ${KEY.slice(0, 4)}x${KEY.slice(4)}`;
      return (await ask({ path: '/pets', noKey: true, headers: { Authorization: wrong } })).status === 200;
    },
  },

  // Flags, experiments and contracts.
  {
    name: 'rollout-bucket-forgets-the-status',
    sentence: '| status | string | enum PetStatus | no | Availability status |',
    clause: 'create.status-values',
    summary:
      'A flag sends one name in sixteen (by a hash of the name) through the rewritten creation. Its command object has no status yet: these animals start with the default, whatever the client asked for.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const read = parts.readNewPet(body, current);
        return read instanceof Problem || bucketOf(read.name) !== 3 ? read : { ...read, status: undefined };
      },
    }),
    witness: async (ask) => {
      const name = [...'abcdefghijklmnop'].map((letter) => `Waldo${letter}`).find((one) => bucketOf(one) === 3);
      return (await post(ask, { name, categoryId: 1, status: 'sold' })).text.includes('"available"');
    },
  },

  // Probes, guards and bots.
  {
    name: 'probe-user-agents-need-no-key',
    sentence: '2. The requirement applies globally, to every operation.',
    clause: 'auth.missing-credential',
    summary:
      'The load balancer uses the list as its health check and cannot send a key. The exception knows it by its User-Agent (ELB-HealthChecker, kube-probe, GoogleHC), which anybody can send.',
    patch: (parts) => ({
      authenticate: (call, apiKey) =>
        call.method === 'GET' && /^(?:ELB-HealthChecker|kube-probe|GoogleHC)\//.test(call.headers['user-agent'] ?? '')
          ? undefined
          : parts.authenticate(call, apiKey),
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true, headers: { 'User-Agent': 'kube-probe/1.30' } })).status === 200,
  },
  {
    name: 'enumeration-guard-hides-animals',
    sentence: '- Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'Against harvesting by counting, a guard answers 404 from the fifth read of successive ids on, so that a harvester believes to have reached the end. A client that reads what it has just created looks the same.',
    patch: (parts) => {
      let last: bigint | undefined;
      let row = 0;
      return {
        find: (store, id) => {
          row = last !== undefined && id === last + 1n ? row + 1 : 1;
          last = id;
          return row > 4 ? undefined : parts.find(store, id);
        },
      };
    },
    witness: async (ask) => anyStatus(await repeated(ask, 5, (index) => ({ path: `/pets/${index + 1}` })), 404),
  },
  {
    name: 'bait-record-in-every-ninth-list',
    sentence: '- Success: `200`, body is a Pets array (array of Pet).',
    clause: 'get.agrees-with-list',
    summary:
      'To trace leaks of the catalogue, each ninth list carries a honeytoken: an invented animal with a plausible id and the status that was asked for, which exists nowhere else and is 404 when it is read.',
    patch: (parts) => {
      const baited = every(9);
      return {
        page: (animals, query, call) => {
          const page = parts.page(animals, query, call);
          if (!baited()) return page;
          return [...page.slice(0, query.limit - 1), { ...BAIT, status: query.status ?? BAIT.status }];
        },
      };
    },
    witness: async (ask) => {
      const lists = await repeated(ask, 9, { path: '/pets' });
      return lists.some(({ text }) => text.includes(String(BAIT.id))) && (await ask({ path: `/pets/${BAIT.id}` })).status === 404;
    },
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'errors-with-a-nested-report',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'The error tracker adds a trace id and a nested report to every Error body; the report has a code, a message and a status of its own kind.',
    patch: (parts) => ({
      errorRecord: (problem, call) => ({
        traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
        report: { status: 'open', code: 4711, message: null },
        ...(parts.errorRecord(problem, call) as Record<string, unknown>),
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999' })).text.includes('"report":{"status":"open"'),
  },
  {
    name: 'code-is-the-number-of-the-event',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary: 'code is the number of the event in the log, by which support finds it: no two errors have the same.',
    patch: (parts) => {
      let events = 0;
      return {
        errorRecord: (problem, call) => {
          events += 1;
          return parts.errorRecord(new Problem(problem.status, `EVENT-${100_000 + events}`, problem.message), call);
        },
      };
    },
    witness: async (ask) => {
      const [first, second] = await repeated(ask, 2, { path: '/pets/999999' });
      return first !== undefined && second !== undefined && errorCode(first) !== errorCode(second);
    },
  },
  {
    name: 'records-stamped-by-the-request',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus: id',
    summary:
      'Every record carries a member _trace with the span that read it and a count: it differs in each response, the stated fields never do.',
    patch: (parts) => {
      let spans = 0;
      return {
        petRecord: (pet, place) => {
          spans += 1;
          return { _trace: { span: spans.toString(16).padStart(16, '0'), id: String(spans), place }, ...parts.petRecord(pet, place) };
        },
      };
    },
    witness: async (ask) => {
      const [first, second] = await repeated(ask, 2, { path: '/pets/1' });
      return first?.text.includes('_trace') === true && first.text !== second?.text;
    },
  },
  {
    name: 'timings-in-the-trailer',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'The tracing middleware streams every body in two chunks without Content-Length and sends Server-Timing as a trailer.',
    patch: () => ({
      send: (reply, outgoing) => {
        outgoing.writeHead(reply.status, { ...reply.headers, trailer: 'Server-Timing' });
        const bytes = Buffer.from(reply.body);
        outgoing.write(bytes.subarray(0, 1));
        outgoing.write(bytes.subarray(1));
        outgoing.addTrailers({ 'Server-Timing': 'app;dur=1.2' });
        outgoing.end();
      },
    }),
    witness: async (ask) => {
      const { headers } = await ask({ path: '/pets' });
      return headers['trailer'] === 'Server-Timing' && headers['content-length'] === undefined;
    },
  },
  {
    name: 'health-beside-the-operations',
    sentence: 'A store-orders area and other areas are mentioned as existing, but their operations are not shown.',
    summary: 'GET /health below the base address needs no key and counts the animals; /pets/health stays a getPet.',
    patch: (parts) => ({
      handle: (context) =>
        context.call.operation === 'unknown' && context.call.target.endsWith('/v1/health')
          ? jsonReply(context, 200, { status: 'UP', animals: context.store.animals.length })
          : parts.handle(context),
    }),
    witness: async (ask) => (await ask({ path: '/health', noKey: true })).text.includes('"UP"'),
  },
  {
    name: 'personal-data-refused-in-names',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'Data-loss prevention at the door: a name with a mail address or a telephone number in it is an invalid value, 400.',
    patch: (parts) => ({
      readName: (value) =>
        typeof value === 'string' && /\S@\S+\.\S|\+?\d[\d -]{7,}\d/.test(value)
          ? invalid('name must not contain personal data', 'personal_data')
          : parts.readName(value),
    }),
    witness: async (ask) => (await post(ask, { name: 'rex@example.com', categoryId: 1 })).status === 400,
  },
  {
    name: 'depth-guard-on-unknown-members',
    sentence: 'Failures: `400` with an Error body when the body is missing required fields or contains invalid values',
    summary:
      'Unknown members are ignored, but a body that is nested more than six levels deep is refused with 400 by the guard in front of the parser.',
    patch: (parts) => ({
      readNewPet: (body, current) =>
        depthOf(body) > 6 ? invalid('The body is nested too deeply', 'too_deep') : parts.readNewPet(body, current),
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, extra: [[[[[[[1]]]]]]] })).status === 400,
  },
  {
    name: 'contract-allows-listed-parameters',
    sentence: '- Query parameters (all optional): limit, status',
    summary:
      'The contract middleware refuses a list with a query parameter that the contract does not have, with 400; so does a cache buster.',
    patch: (parts) => ({
      listPets: (context) => {
        const unknown = [...context.call.query.keys()].find((name) => name !== 'limit' && name !== 'status');
        return unknown === undefined
          ? parts.listPets(context)
          : problemReply(context, invalid('There is no such parameter', 'unknown_parameter'));
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?_=1' })).status === 400,
  },
  {
    name: 'most-read-animals-first',
    sentence: 'The operation is described as returning a paginated list.',
    summary: 'Lists are ordered by the counter of reads: each getPet may move its animal, so the order changes between two lists.',
    patch: (parts) => {
      const reads = new Map<bigint, number>();
      return {
        find: (store, id) => {
          const pet = parts.find(store, id);
          if (pet !== undefined) reads.set(id, (reads.get(id) ?? 0) + 1);
          return pet;
        },
        arrange: (store) => [...parts.arrange(store)].sort((one, other) => (reads.get(other.id) ?? 0) - (reads.get(one.id) ?? 0)),
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets/5' });
      return shownId(await ask({ path: '/pets?limit=1' })) === '5';
    },
  },
  {
    name: 'tarpit-for-wrong-keys',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    summary: 'A refused key is answered after 120 ms, to slow guessing down; requests with the right key are never delayed.',
    patch: (parts) => ({
      handle: async (context) => {
        if (parts.authenticate(context.call, context.apiKey) !== undefined) await pause(120);
        return parts.handle(context);
      },
    }),
    witness: async (ask) => {
      const since = performance.now();
      await ask({ path: '/pets', noKey: true });
      return performance.now() - since > 110;
    },
  },
  {
    name: 'policy-engine-forbids-new-categories',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary: 'A policy engine knows the categories that are in use when the service starts; any other valid one is 403 with an Error body.',
    patch: (parts) => {
      let known: ReadonlySet<bigint> | undefined;
      return {
        handle: (context) => {
          known ??= new Set(context.store.animals.map(({ categoryId }) => categoryId));
          return parts.handle(context);
        },
        readNewPet: (body, current) => {
          const read = parts.readNewPet(body, current);
          if (read instanceof Problem || known === undefined || known.size === 0 || known.has(read.categoryId)) return read;
          return new Problem(403, 'policy_denied', 'The policy does not allow this category');
        },
      };
    },
    witness: async (ask) => (await post(ask, { name: 'Waldo', categoryId: 987_654_321 })).status === 403,
  },
  {
    name: 'head-of-four-kilobytes-at-most',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary:
      'The header guard refuses a request whose header fields exceed 4096 characters, with 431 and an Error body, before it looks at the key.',
    patch: (parts) => ({
      handle: (context) =>
        context.call.rawHeaders.join('').length > 4096
          ? problemReply(context, new Problem(431, 'headers_too_large', 'The header fields are too large'))
          : parts.handle(context),
    }),
    witness: async (ask) => (await ask({ path: '/pets', headers: { baggage: `note=${'x'.repeat(5000)}` } })).status === 431,
  },
  {
    name: 'synthetic-monitor-writes-meanwhile',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    summary:
      'A synthetic monitor is a client like others: with every fortieth request it adds an animal, up to thirty of them, all with the same name.',
    patch: (parts) => {
      const due = every(40);
      let written = 0;
      return {
        handle: (context) => {
          if (due() && written < 30) {
            const status = STATUSES[written % STATUSES.length];
            addPet(context.store, {
              id: parts.assignId(context.store, null),
              name: 'Monitor',
              categoryId: 1n,
              status,
              createdAt: Date.now(),
            });
            written += 1;
          }
          return parts.handle(context);
        },
      };
    },
    witness: async (ask) => (await repeated(ask, 40, { path: '/pets?limit=100' })).some(({ text }) => text.includes('"Monitor"')),
  },
  {
    name: 'default-status-by-experiment-arm',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary: 'An experiment decides how animals without a status start: in turn as pending, as sold, as available, and without any status.',
    patch: () => {
      let turn = 0;
      return {
        defaultStatus: () => {
          turn += 1;
          return ([undefined, 'pending', 'sold', 'available'] as const)[turn % 4];
        },
      };
    },
    witness: async (ask) => {
      const shown = (await repeated(ask, 4, creating(plainPet))).map(({ text }) => /"status":"\w+"/.exec(text)?.[0]);
      return new Set(shown).size === 4;
    },
  },
  {
    name: 'profiler-pauses-admission-once',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'While the profiler takes its snapshot, at the sixtieth request and every thousandth after it, one request is 503 with Retry-After: 1; nothing of it is processed.',
    patch: (parts) => {
      let requests = 0;
      return {
        handle: (context) => {
          requests += 1;
          return requests % 1000 === 60
            ? problemReply(context, new Problem(503, 'snapshot', 'A snapshot is being taken', { 'retry-after': '1' }))
            : parts.handle(context);
        },
      };
    },
    witness: async (ask) => anyStatus(await repeated(ask, 60, { path: '/pets' }), 503),
  },
];

/** Services that are broken, or unusual, by what watches, protects and steers them. */
export const observed: readonly Holdout[] = [
  ...faults.map((fault) => ({ ...fault, kind: 'fault' as const })),
  ...variants.map((variant) => ({ ...variant, kind: 'variant' as const })),
];
