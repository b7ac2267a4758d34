import { check } from 'k6';
import http from 'k6/http';

// The interface as a plan of some eighty requests by hand: `k6 run -e BASE_URL=... -e API_KEY=... plan.js`.
export const options = {
  vus: 1,
  iterations: 1,
  thresholds: { checks: ['rate==1.0'] },
  // A response is judged as the server sent it.
  discardResponseBodies: false,
  maxRedirects: 0,
};

const BASE = __ENV.BASE_URL;
const KEY = __ENV.API_KEY;
const STATUSES = ['available', 'pending', 'sold'];
const TAG = `k6-${Date.now().toString(36)}`;
const TIMEOUT = '5s';

const authorized = { Authorization: `Bearer ${KEY}` };
const JSON_BODY = { 'Content-Type': 'application/json' };

function get(path, headers = authorized) {
  return http.get(`${BASE}${path}`, { headers, timeout: TIMEOUT });
}

function post(body, headers = authorized) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return http.post(`${BASE}/pets`, text, { headers: { ...headers, ...JSON_BODY }, timeout: TIMEOUT });
}

function parsed({ body }) {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The id as it stands in the text: a number of JavaScript would lose digits. */
const idOf = ({ body }) => /"id"\s*:\s*(-?\d+)(?=\s*[,}])/.exec(body ?? '')?.[1];

/** All ids of a list, as they stand in the text. */
const idsOf = ({ body }) => [...(body ?? '').matchAll(/"id"\s*:\s*(-?\d+)(?=\s*[,}])/g)].map((match) => match[1]);

const isJson = ({ headers }) => /^application\/json\s*(;|$)/i.test(headers['Content-Type'] ?? '');

function isPet(value) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  const { id, name, categoryId, status } = value;
  return (
    Number.isInteger(id) && typeof name === 'string' && Number.isInteger(categoryId) && (status === undefined || STATUSES.includes(status))
  );
}

function judgeError(title, response, status) {
  const error = parsed(response) ?? {};
  check(response, {
    [`${title}: returns ${status}`]: () => response.status === status,
    [`${title}: application/json`]: isJson,
    [`${title}: an Error body`]: () => typeof error.code === 'string' && typeof error.message === 'string' && error.status === status,
  });
}

function judgeList(title, response, { limit = 20, status } = {}) {
  const animals = parsed(response);
  const list = Array.isArray(animals) ? animals : [];
  const ids = idsOf(response);
  check(response, {
    [`${title}: returns 200`]: () => response.status === 200,
    [`${title}: application/json`]: isJson,
    [`${title}: an array of Pets`]: () => Array.isArray(animals) && animals.every(isPet),
    [`${title}: at most ${limit} animals`]: () => list.length <= limit,
    [`${title}: no animal twice`]: () => new Set(ids).size === ids.length,
    [`${title}: the status that was asked for`]: () => status === undefined || list.every((pet) => pet.status === status),
  });
  return list;
}

function judgePet(title, response, expected, status) {
  const pet = parsed(response);
  check(response, {
    [`${title}: returns ${status}`]: () => response.status === status,
    [`${title}: application/json`]: isJson,
    [`${title}: a Pet`]: () => isPet(pet),
    [`${title}: the animal`]: () => pet !== undefined && Object.entries(expected).every(([name, value]) => pet[name] === value),
  });
  return pet;
}

function judgeCredentials(id) {
  const wrong = {
    'no API key': {},
    'an empty API key': { Authorization: 'Bearer ' },
    'another API key': { Authorization: 'Bearer not-the-key' },
    'the API key with a letter more': { Authorization: `Bearer ${KEY}x` },
    'the start of the API key': { Authorization: `Bearer ${KEY.slice(0, -1)}` },
    'another letter case of the API key': { Authorization: `Bearer ${KEY.toUpperCase()}` },
    'the API key without a scheme': { Authorization: KEY },
    'another scheme': { Authorization: `Basic ${KEY}` },
  };
  for (const [title, headers] of Object.entries(wrong)) judgeError(`listPets with ${title}`, get('/pets', headers), 401);
  for (const title of ['no API key', 'another API key', 'another scheme']) {
    judgeError(`createPet with ${title}`, post({ name: `${TAG}-refused`, categoryId: 1 }, wrong[title]), 401);
    judgeError(`getPet with ${title}`, get(`/pets/${id}`, wrong[title]), 401);
  }
  judgeError('listPets with the API key in the query', get(`/pets?api_key=${KEY}&access_token=${KEY}`, {}), 401);
  judgeError('listPets with the API key in a cookie', get('/pets', { Cookie: `api_key=${KEY}; token=${KEY}` }), 401);
  judgeError('an invalid creation without an API key', post({}, {}), 401);
  judgeError('an unknown animal without an API key', get('/pets/987654321', {}), 401);
}

function judgeLists() {
  judgeList('listPets', get('/pets'));
  for (const limit of [1, 2, 5, 20, 50, 99, 100]) judgeList(`limit=${limit}`, get(`/pets?limit=${limit}`), { limit });
  for (const status of STATUSES) {
    judgeList(`status=${status}`, get(`/pets?status=${status}`), { status });
    judgeList(`status=${status}, limit=1`, get(`/pets?status=${status}&limit=1`), { limit: 1, status });
  }
}

/** Creates an animal and reads it back, alone and in the lists, where they have room for all animals. */
function judgeCreation(title, draft) {
  const response = post(draft);
  const pet = judgePet(title, response, draft, 201);
  const id = idOf(response);
  const again = get(`/pets/${id}`);
  judgePet(`${title}, read`, again, { ...draft, ...(pet?.status === undefined ? {} : { status: pet.status }) }, 200);
  check(again, { [`${title}: the same id`]: () => idOf(again) === id });
  return { id, status: pet?.status };
}

function judgeCreations(category) {
  const drafts = {
    'createPet without a status': { name: `${TAG}-plain`, categoryId: category },
    ...Object.fromEntries(STATUSES.map((status) => [`createPet as ${status}`, { name: `${TAG}-${status}`, categoryId: category, status }])),
    'createPet with letters of other languages': { name: `${TAG}-Žofie Ünal 猫`, categoryId: category },
    'createPet with quotation marks': { name: `${TAG}-"O'Neil" \\ <b>&amp;</b> %s`, categoryId: category },
    'createPet with a long name': { name: `${TAG}-${'long'.repeat(40)}`, categoryId: category },
    'createPet with digits as its name': { name: `${Date.now()}`, categoryId: category },
  };
  return Object.entries(drafts).map(([title, draft]) => judgeCreation(title, draft));
}

function judgeShown(created) {
  const all = get('/pets?limit=100');
  const ids = idsOf(all);
  if (ids.length < 100) check(all, { 'the list shows what was created': () => created.every(({ id }) => ids.includes(id)) });
  for (const status of STATUSES) {
    const filtered = get(`/pets?status=${status}&limit=100`);
    const shown = idsOf(filtered);
    const wanted = created.filter((one) => one.status === status).map(({ id }) => id);
    if (shown.length < 100)
      check(filtered, { [`status=${status} shows what was created`]: () => wanted.every((id) => shown.includes(id)) });
  }
  check(created, { 'each animal has an id of its own': () => new Set(created.map(({ id }) => id)).size === created.length });
}

function judgeCategories() {
  // A service may know no such category: it rejects the animal then, and must not change the number.
  for (const category of ['0', '-1', '2147483648', '9007199254740993', '9223372036854775807']) {
    const response = post(`{"name":"${TAG}-category","categoryId":${category}}`);
    const shown = /"categoryId"\s*:\s*(-?[\d.e+]+)/i.exec(response.body ?? '')?.[1];
    check(response, {
      [`categoryId ${category}: accepted as it is, or rejected`]: () =>
        response.status === 201 ? shown === category : response.status >= 400 && response.status < 500,
    });
  }
}

function judgeRejections(category) {
  const name = `${TAG}-rejected`;
  const rejected = {
    'no name': { categoryId: category },
    'name null': { name: null, categoryId: category },
    'name a number': { name: 5, categoryId: category },
    'name true': { name: true, categoryId: category },
    'name an array': { name: ['x'], categoryId: category },
    'name an object': { name: {}, categoryId: category },
    'no categoryId': { name },
    'categoryId null': { name, categoryId: null },
    'categoryId a text': { name, categoryId: '1' },
    'categoryId a word': { name, categoryId: 'dog' },
    'categoryId a fraction': { name, categoryId: 1.5 },
    'categoryId true': { name, categoryId: true },
    'categoryId an array': { name, categoryId: [category] },
    'categoryId beyond int64': `{"name":"${name}","categoryId":9223372036854775808}`,
    'an unknown status': { name, categoryId: category, status: 'eaten' },
    'a status in capitals': { name, categoryId: category, status: 'Sold' },
    'an empty status': { name, categoryId: category, status: '' },
    'status null': { name, categoryId: category, status: null },
    'status a number': { name, categoryId: category, status: 1 },
    'an empty object': {},
    'an array': [{ name, categoryId: category }],
    null: 'null',
    'a text': '"pet"',
    'a number': '42',
    'no body': '',
    'malformed JSON': `{"name":"${name}",`,
    'a trailing comma': `{"name":"${name}","categoryId":${category},}`,
  };
  for (const [title, body] of Object.entries(rejected)) judgeError(`createPet with ${title}`, post(body), 400);
  const all = get('/pets?limit=100');
  check(all, {
    'a rejected creation stores nothing': () => !(all.body ?? '').includes(name) && !(all.body ?? '').includes(`${TAG}-refused`),
  });
}

function judgeUnknown(id) {
  for (const unknown of ['4611686018427387905', '9007199254740993', '987654321'])
    if (unknown !== id) judgeError(`getPet of ${unknown}`, get(`/pets/${unknown}`), 404);
  for (const odd of ['abc', '9223372036854775808', '1.5', '%20', "1'"]) {
    const response = get(`/pets/${odd}`);
    check(response, { [`getPet of ${odd}: rejected`]: () => response.status >= 400 && response.status < 500 });
  }
  for (const query of [
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=abc',
    'limit=99999999999999999999',
    'status=eaten',
    'status=',
    'limit=',
  ]) {
    const response = get(`/pets?${query}`);
    check(response, { [`${query}: no server error`]: () => response.status > 0 && response.status < 500 });
  }
}

export default function plan() {
  const before = parsed(get('/pets?limit=100'));
  const category = Array.isArray(before) ? (before.find((pet) => Number.isSafeInteger(pet?.categoryId))?.categoryId ?? 1) : 1;
  judgeLists();
  const created = judgeCreations(category);
  judgeShown(created);
  const [{ id }] = created;
  judgeCredentials(id);
  judgeRejections(category);
  judgeCategories();
  judgeUnknown(id);
  for (const one of created) judgePet('getPet at the end', get(`/pets/${one.id}`), {}, 200);
  judgeLists();
}
