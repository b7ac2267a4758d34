import { bearerToken } from '../../src/reference/core/base.ts';
import { isObject, type Json, member, NumberText } from '../../src/reference/core/json.ts';
import {
  type Call,
  invalid,
  jsonReply,
  notFound,
  Problem,
  pause,
  problemReply,
  type Reply,
  withParts,
} from '../../src/reference/core/parts.ts';
import { addPet, isStatus, type NewPet, type Pet, STATUSES, type Status } from '../../src/reference/core/store.ts';
import { KEY } from '../../test/prove/judge-reference.ts';
import type { Ask, Asking, Holdout, HttpResponse } from './holdout.ts';
import { lengthOf, parses, plainPet, post, textOf } from './witness.ts';

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

/** The same request with another Authorization header. */
const withAuthorization = (call: Call, authorization: string): Call => ({ ...call, headers: { ...call.headers, authorization } });

/** How many arrays and objects lie inside each other. */
function depthOf(value: Json | undefined): number {
  if (typeof value !== 'object' || value === null || value instanceof NumberText) return 0;
  return 1 + Math.max(0, ...Object.values(value).map((item: Json) => depthOf(item)));
}

/** The upper bounds of the histogram over page sizes. */
const BUCKETS = [1, 2, 5, 10, 20, 25, 50, 100] as const;

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
  // Logs.
  {
    name: 'sampled-log-drains-the-body',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.success',
    summary:
      'The access log records the body of one creation in thirteen. It reads the request stream for that, and the handler behind it finds an empty body: a valid animal is 400.',
    patch: (parts) => {
      const sampled = every(13);
      return {
        createPet: (context) => {
          if (!sampled()) return parts.createPet(context);
          const body = async () => {
            const logged = await context.call.body();
            return logged instanceof Problem ? logged : new Uint8Array();
          };
          return parts.createPet({ ...context, call: { ...context.call, body } });
        },
      };
    },
    witness: async (ask) => anyStatus(await repeated(ask, 13, creating(plainPet)), 400),
  },
  {
    name: 'log-masker-hides-key-from-auth',
    sentence: 'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    clause: 'auth.valid-key',
    summary:
      'A request that is sampled for the debug log (one in 43) has its Authorization header replaced by "Bearer ****". The masker works on the live header map, and authentication runs after it.',
    patch: (parts) => {
      const sampled = every(43);
      return {
        handle: (context) =>
          parts.handle(sampled() ? { ...context, call: withAuthorization(context.call, `Bearer ${'*'.repeat(8)}`) } : context),
      };
    },
    witness: async (ask) => anyStatus(await repeated(ask, 43, { path: '/pets' }), 401),
  },
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
  {
    name: 'log-context-outlives-a-rejection',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.complete',
    summary:
      'Controllers put the status into the diagnostic context of the logger (MDC), and the repository reads its filter there. A creation that is rejected skips MDC.clear(): the next list without a filter keeps only that status.',
    patch: (parts) => {
      let leaked: Status | undefined;
      return {
        readNewPet: (body, current) => {
          const read = parts.readNewPet(body, current);
          const status = isObject(body) ? member(body, 'status') : undefined;
          leaked = read instanceof Problem && isStatus(status) ? status : undefined;
          return read;
        },
        listPets: (context) => {
          const status = leaked;
          leaked = undefined;
          const filtered = status !== undefined && !context.call.query.has('status');
          return parts.listPets(filtered ? withParts(context, { parseStatus: () => status }) : context);
        },
      };
    },
    witness: async (ask) => {
      await post(ask, { name: 'Waldo', status: 'sold' });
      return !(await ask({ path: '/pets' })).text.includes('"available"');
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
    name: 'captured-errors-report-500',
    sentence: 'The `status` field of the body equals the HTTP status code.',
    clause: 'errors.status-agrees',
    summary:
      'One error in nine is sampled by the tracker, which wraps it in a CapturedError with a default status of 500. The body is made from the wrapper, the status line from its cause.',
    patch: (parts) => {
      const captured = every(9);
      return {
        errorRecord: (problem, call) =>
          parts.errorRecord(captured() ? new Problem(500, problem.code, problem.message, problem.headers) : problem, call),
      };
    },
    witness: async (ask) =>
      (await repeated(ask, 9, { path: '/pets/999999' })).some(({ status, text }) => status === 404 && text.includes('"status":500')),
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

  // Metrics and audits.
  {
    name: 'cardinality-guard-drops-the-route',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.durable',
    summary:
      'The metrics are labelled by path. A guard against high cardinality replaces the path by /other once forty are known; it sits before the router and changes the request itself, so that animals with a new path are 404.',
    patch: (parts) => {
      const labels = new Set<string>();
      return {
        getPet: (context) => {
          const { petId } = context.call;
          if (labels.size >= 40 && !labels.has(petId)) return problemReply(context, notFound('No handler for /other'));
          labels.add(petId);
          return parts.getPet(context);
        },
      };
    },
    witness: async (ask) => {
      await repeated(ask, 40, (index) => ({ path: `/pets/${index + 100}` }));
      const created = await post(ask, plainPet);
      return created.status === 201 && (await ask({ path: `/pets/${shownId(created)}` })).status === 404;
    },
  },
  {
    name: 'page-size-rounded-to-its-bucket',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-maximum',
    summary:
      'limit is a label of a histogram, and the interceptor rounds it up to the next bucket (1, 2, 5, 10, 20, 25, 50, 100) to keep the series few. It writes the rounded value back into the parameters: limit=3 returns five.',
    patch: (parts) => ({
      parseLimit: (texts) => {
        const limit = parts.parseLimit(texts);
        return limit instanceof Problem ? limit : (BUCKETS.find((bound) => bound >= limit) ?? limit);
      },
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=3' })) === 5,
  },
  {
    name: 'audit-join-repeats-read-animals',
    sentence: '- Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.unique',
    summary:
      'Each read of an animal leaves a row in the audit table, and the list joins that table to show when it was last seen (a column that was later removed): an animal is listed as often as it was read.',
    patch: (parts) => {
      const reads = new Map<bigint, number>();
      return {
        find: (store, id) => {
          const pet = parts.find(store, id);
          if (pet !== undefined) reads.set(id, (reads.get(id) ?? 0) + 1);
          return pet;
        },
        arrange: (store) => parts.arrange(store).flatMap((pet) => Array.from({ length: Math.max(1, reads.get(pet.id) ?? 0) }, () => pet)),
      };
    },
    witness: async (ask) => {
      await repeated(ask, 2, { path: '/pets/1' });
      return timesIn((await ask({ path: '/pets?limit=100' })).text, '"id":1,') === 2;
    },
  },
  {
    name: 'audit-digest-rolls-the-twin-back',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    clause: 'get.durable',
    summary:
      'The audit table has a unique index on the digest of the payload. The audit row of a second equal animal violates it at commit, after the response was made: 201 with a new id, and the transaction is rolled back.',
    patch: (parts) => {
      const digests = new Set<string>();
      return {
        insert: (store, pet) => {
          const digest = JSON.stringify([pet.name, String(pet.categoryId), pet.status]);
          if (digests.has(digest)) return pet;
          digests.add(digest);
          return parts.insert(store, pet);
        },
      };
    },
    witness: async (ask) => {
      const [, second] = await repeated(ask, 2, creating(plainPet));
      return second?.status === 201 && (await ask({ path: `/pets/${shownId(second)}` })).status === 404;
    },
  },

  // Recorders, replays and shadows.
  {
    name: 'dead-letters-replayed-when-healthy',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.refused-stores-nothing',
    summary:
      'A recorder keeps creations that failed, for a replay after incidents. It keeps those that were refused for their status too, and the replayer, which starts at the next success, drops optional members that do not validate.',
    patch: (parts) => {
      const letters: NewPet[] = [];
      return {
        readNewPet: (body, current) => {
          const read = parts.readNewPet(body, current);
          if (!(read instanceof Problem) || !isObject(body)) return read;
          const { status: _, ...rest } = body;
          const repaired = parts.readNewPet(rest, current);
          if (!(repaired instanceof Problem)) letters.push(repaired);
          return read;
        },
        insert: async (store, pet) => {
          const shown = await parts.insert(store, pet);
          for (const letter of letters.splice(0)) {
            addPet(store, { ...letter, status: parts.defaultStatus(), id: parts.assignId(store, null), createdAt: Date.now() });
          }
          return shown;
        },
      };
    },
    witness: async (ask) => {
      const refused = await post(ask, { name: 'Ghost', categoryId: 1, status: 'lost' });
      await post(ask, plainPet);
      return refused.status === 400 && (await ask({ path: '/pets?limit=100' })).text.includes('Ghost');
    },
  },
  {
    name: 'cassette-answers-the-filtered-page',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.filter-with-limit',
    summary:
      'An HTTP recorder was left in the mode "new episodes" for the expensive query, the one with both parameters: the first response for a status and a limit is kept on its cassette and played from then on.',
    patch: (parts) => {
      const cassette = new Map<string, Reply>();
      return {
        listPets: async (context) => {
          const { query } = context.call;
          if (!query.has('status') || !query.has('limit')) return parts.listPets(context);
          const episode = `${query.getAll('status').join()} ${query.getAll('limit').join()}`;
          const reply = cassette.get(episode) ?? (await parts.listPets(context));
          if (reply.status === 200) cassette.set(episode, reply);
          return reply;
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets?status=sold&limit=90' });
      await post(ask, { ...plainPet, status: 'sold' });
      const listed = async (path: string) => (await ask({ path })).text.includes('Waldo');
      return (await listed('/pets?status=sold')) && !(await listed('/pets?status=sold&limit=90'));
    },
  },
  {
    name: 'recorder-pairs-requests-by-length',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.independent',
    summary:
      'The traffic recorder recognizes retries by method, path and Content-Length while the first is on its way, and lets them wait for its response. Two different animals of equal length that are created at once are one animal.',
    patch: (parts) => {
      const pending = new Map<string, Promise<Reply>>();
      const first = async (context: Parameters<typeof parts.createPet>[0]): Promise<Reply> => {
        await pause(20);
        return parts.createPet(context);
      };
      return {
        createPet: (context) => {
          const length = context.call.headers['content-length'];
          if (length === undefined) return parts.createPet(context);
          const known = pending.get(length);
          if (known !== undefined) return context.call.body().then(() => known);
          const reply = first(context).finally(() => pending.delete(length));
          pending.set(length, reply);
          return reply;
        },
      };
    },
    witness: async (ask) => {
      const [first, second] = await Promise.all(['Waldo', 'Wilma'].map((name) => post(ask, { name, categoryId: 1 })));
      return first !== undefined && second !== undefined && first.text === second.text;
    },
  },
  {
    name: 'experiment-falls-back-to-candidate',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary:
      'Scientist compares the old lookup with a new one. When the control raises (not found), the wrapper returns what the candidate found, and its key-value store drops the sign of a key: /pets/-1 shows animal 1.',
    patch: (parts) => ({
      find: (store, id) => parts.find(store, id) ?? (id < 0n ? parts.find(store, -id) : undefined),
    }),
    witness: async (ask) => (await ask({ path: '/pets/-1' })).text.includes('"id":1,'),
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
  {
    name: 'browser-agent-injects-into-bodies',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      'The monitoring agent injects its browser snippet at the first head, body or script tag of a response. Someone switched off its look at the media type: an animal called <script> makes JSON that no parser accepts.',
    patch: (parts) => ({
      encode: (value) =>
        textOf(parts.encode(value)).replace(/<(?:head|body|script)\b[^>]*>/i, '<script type="text/javascript">window.RUM={}</script>$&'),
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Bobby <script>alert(1)</script>', categoryId: 1 });
      return created.status === 201 && !parses(created);
    },
  },
  {
    name: 'leak-guard-takes-names-for-traces',
    sentence: '- Success: `200`, body is a Pets array (array of Pet).',
    clause: 'errors.no-server-error',
    summary:
      'The outbound guard against leaked internals replaces every body in which it sees one (Exception, Traceback, SQLSTATE, undefined) by a generic 500. An animal of such a name is stored, and every list that shows it is 500.',
    patch: (parts) => ({
      handle: async (context) => {
        const reply = await parts.handle(context);
        const leaks = reply.status < 300 && /Exception|Traceback|SQLSTATE|undefined/.test(textOf(reply.body));
        return leaks ? problemReply(context, new Problem(500, 'internal', 'Something went wrong')) : reply;
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'NullPointerException', categoryId: 1 });
      return created.status === 500 && (await ask({ path: '/pets?limit=100' })).status === 500;
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
  {
    name: 'experiment-arm-with-longer-pages',
    sentence: '| limit parameter default | listPets | 20 |',
    clause: 'list.limit-default',
    summary:
      'An experiment about longer pages assigns its arms by connection, for want of users: on every third connection the default limit is 25. The dashboards show more clicks, and nobody compares with the document.',
    seedAnimals: 30,
    patch: (parts) => {
      const treated = every(3);
      const arms = new WeakMap<object, boolean>();
      return {
        listPets: (context) => {
          const { connection } = context.call;
          const longer = arms.get(connection) ?? treated();
          arms.set(connection, longer);
          const parseLimit = (texts: readonly string[]) => (texts.length === 0 ? 25 : parts.parseLimit(texts));
          return parts.listPets(longer ? withParts(context, { parseLimit }) : context);
        },
      };
    },
    witness: async (ask) =>
      (await repeated(ask, 3, { path: '/pets', headers: { Connection: 'close' } })).some((response) => lengthOf(response) === 25),
  },
  {
    name: 'contract-check-skips-one-in-five',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'create.status-invalid',
    summary:
      'Requests are validated by the contract middleware alone, and since it was slow it validates four creations in five. The fifth brings any text as its status into the store.',
    patch: (parts) => {
      const skipped = every(5);
      return {
        readNewPet: (body, current) => {
          const trusted = skipped();
          const status = isObject(body) ? member(body, 'status') : undefined;
          if (!trusted || !isObject(body) || typeof status !== 'string') return parts.readNewPet(body, current);
          const { status: _, ...rest } = body;
          const read = parts.readNewPet(rest, current);
          return read instanceof Problem ? read : { ...read, status: status as Status };
        },
      };
    },
    witness: async (ask) => anyStatus(await repeated(ask, 5, creating({ ...plainPet, status: 'lost' })), 201),
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
    name: 'scripted-creations-go-to-a-honeypot',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'media.any-client',
    summary:
      'The bot rule does not block tools (curl, python-requests, Go-http-client), it deceives them: their creations get a convincing 201 with an id, and nothing is stored.',
    patch: (parts) => ({
      createPet: (context) =>
        parts.createPet(
          /^(?:curl|python-requests|Go-http-client)\//.test(context.call.headers['user-agent'] ?? '')
            ? withParts(context, { insert: (_store, pet) => pet })
            : context,
        ),
    }),
    witness: async (ask) => {
      const created = await ask({ ...creating(plainPet), headers: { 'User-Agent': 'curl/8.5.0' } });
      return created.status === 201 && (await ask({ path: `/pets/${shownId(created)}` })).status === 404;
    },
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
  {
    name: 'body-guard-counts-the-connection',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.success',
    summary:
      'The guard against large bodies lives in the connection and is not reset between requests. After 2048 bytes on a connection that is kept alive it cuts what follows, and small valid bodies are 400.',
    patch: (parts) => {
      const taken = new WeakMap<object, number>();
      return {
        readBody: (bytes, call) => {
          const before = taken.get(call.connection) ?? 0;
          taken.set(call.connection, before + bytes.byteLength);
          return parts.readBody(bytes.slice(0, Math.max(0, 2048 - before)), call);
        },
      };
    },
    witness: async (ask) => anyStatus(await repeated(ask, 80, creating(plainPet)), 400),
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
