import { describe, expect, test } from 'vitest';
import { basicAuthorization, hasLogin, loginFault, maskLogin, receiverFault } from './login.ts';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('a login in an address', () => {
  test.each([
    ['http://user:pass@h/x', 'user:pass'],
    ['http://user@h/x', 'user:'],
    ['http://:pass@h/x', ':pass'],
    ['http://us%C3%A9r:p%40ss%3A%2F@h/x', 'us\u00e9r:p@ss:/'],
    ['http://a:b@c@h/x', 'a:b@c'],
    ['http:\\\\user:pass@h/x', 'user:pass'],
  ])('of %s is %s', (address, login) => {
    expect(basicAuthorization(address)).toBe(basic(login));
    expect(loginFault(address)).toBeUndefined();
  });

  test.each(['http://h/x', 'http://h/a@b', 'http://h/?a@b', 'h/a@b'])('is not in %s', (address) => {
    expect([hasLogin(address), basicAuthorization(address), maskLogin(address)]).toEqual([false, undefined, address]);
  });

  test.each([
    ['http://@h/x', 'has an empty login before the "@"'],
    ['http://:@h/x', 'has an empty login before the "@"'],
    ['http://a%3Ab:pass@h/x', 'has a user name with a colon, which ends it in an Authorization header'],
    ['http://user:100%@h/x', 'has a login that is not percent-encoded UTF-8; write a "%" as %25'],
    ['http://user:%E0%A4@h/x', 'has a login that is not percent-encoded UTF-8; write a "%" as %25'],
    ['http://user:a%0Ab@h/x', 'has a control character in its login'],
  ])('of %s can not be sent: it %s', (address, fault) => {
    expect(loginFault(address)).toBe(fault);
    expect(() => basicAuthorization(address)).toThrow(`the address ${fault}`);
  });

  test.each([
    ['http://user:PASS@h/x', 'http://USER:PASSWORD@h/x'],
    ['http://user:PA@SS@h/x', 'http://USER:PASSWORD@h/x'],
    ['user:PASS@proxy:3128', 'USER:PASSWORD@proxy:3128'],
  ])('is not shown: %s', (address, shown) => {
    expect(maskLogin(address)).toBe(shown);
  });
});

test.each([
  ['ftp://h/x', 'is not an http or https URL'],
  ['h/x', 'is not an http or https URL'],
  ['http://h/x#token', 'has a fragment, which is never sent; remove everything from "#" on'],
  ['http://@h/x', 'has an empty login before the "@"'],
])('receiverFault: %s %s', (address, fault) => {
  expect(receiverFault(address)).toBe(fault);
});
