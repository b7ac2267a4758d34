const assert = require('node:assert');
const { afterEach, beforeAll, beforeEach } = require('hooks');

const LIST = '/pets > GET';
const CREATE = '/pets > POST';
const READ = '/pets/{petId} > GET';

let created;

const idOf = (transaction) => /"id"\s*:\s*(-?\d+)/.exec(transaction.real.body)?.[1];
const isFailure = ({ name }) => /> (400|401|404) >/.test(name);

/** Dredd sends what the description shows: what makes a request fail stands here. */
beforeAll((transactions, done) => {
  // Creation comes first, so that there is an animal to read.
  transactions.sort((a, b) => Number(b.name.startsWith(`${CREATE} > `)) - Number(a.name.startsWith(`${CREATE} > `)));
  done();
});

beforeEach((transaction, done) => {
  transaction.skip = false;
  transaction.request.headers.Authorization = `Bearer ${process.env.API_KEY}`;
  if (transaction.name.includes('> 401 >')) transaction.request.headers.Authorization = 'Bearer not-the-key';
  if (transaction.name.startsWith(`${CREATE} > `) && transaction.name.includes('> 400 >'))
    transaction.request.body = JSON.stringify({ name: 5, categoryId: '1', status: 'eaten' });
  if (transaction.name.startsWith(`${READ} > `)) {
    const id = transaction.name.includes('> 404 >') ? '4611686018427387905' : created;
    transaction.fullPath = transaction.fullPath.replace(/[^/]*$/, id ?? '1');
  }
  done();
});

/** Media types may have parameters, which Dredd would compare letter by letter. */
beforeEach((transaction, done) => {
  delete transaction.expected.headers['Content-Type'];
  done();
});

afterEach((transaction, done) => {
  try {
    assert.match(transaction.real.headers['content-type'] ?? '', /^application\/json\s*(;|$)/i);
    const body = JSON.parse(transaction.real.body);
    if (isFailure(transaction)) assert.equal(body.status, transaction.real.statusCode);
    if (transaction.name.startsWith(`${LIST} > `) && !isFailure(transaction)) {
      assert.ok(body.length <= 5, 'more animals than the limit');
      for (const { status } of body) assert.equal(status, 'available');
    }
    if (transaction.name.startsWith(`${CREATE} > `) && !isFailure(transaction)) {
      created = idOf(transaction);
      assert.deepEqual([body.name, body.categoryId, body.status], ['Rex', 1, 'pending']);
    }
    if (transaction.name.startsWith(`${READ} > `) && !isFailure(transaction)) {
      assert.equal(idOf(transaction), created);
      assert.deepEqual([body.name, body.categoryId, body.status], ['Rex', 1, 'pending']);
    }
  } catch (error) {
    transaction.fail = error.message;
  }
  done();
});
