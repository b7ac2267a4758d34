// The login in an address: what stands before the @ of its host.

/** Everything up to the @, with the scheme in a group. A parser of URLs takes backslashes for slashes, and any number of them. */
const USER_INFO = /^\s*((?:[a-z][a-z0-9+.-]*:[\\/]+)?)[^\\/?#]*@/i;

export function hasLogin(address: string): boolean {
  const url = URL.parse(address);
  return USER_INFO.test(address) || (url !== null && (url.username !== '' || url.password !== ''));
}

export function maskLogin(address: string): string {
  return address.replace(USER_INFO, '$1USER:PASSWORD@');
}

function decode({ username, password }: URL): { readonly user: string; readonly password: string } {
  return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/** Why the login of an address can't be sent, as the end of a sentence that begins with the address; undefined if it can, or if there is none. */
export function loginFault(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || !hasLogin(address)) return undefined;
  try {
    const { user, password } = decode(url);
    if (user === '' && password === '') return 'has an empty login before the "@"';
    if (user.includes(':')) return 'has a user name with a colon, which ends it in an Authorization header';
    return /\p{Cc}/u.test(user + password) ? 'has a control character in its login' : undefined;
  } catch {
    return 'has a login that is not percent-encoded UTF-8; write a "%" as %25';
  }
}

/** The login of an address, percent-decoded, as the value of a header (RFC 7617); undefined if it has none. Throws if it can't be one. */
export function basicAuthorization(address: string): string | undefined {
  const fault = loginFault(address);
  if (fault !== undefined) throw new TypeError(`the address ${fault}`);
  if (!hasLogin(address)) return undefined;
  const { user, password } = decode(new URL(address));
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
}

/** Why nothing can be sent to an address, as the end of a sentence that begins with it; undefined if something can. */
export function receiverFault(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'is not an http or https URL';
  return url.hash === '' ? loginFault(address) : 'has a fragment, which is never sent; remove everything from "#" on';
}
