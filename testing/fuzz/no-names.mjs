// Preloaded into a process under test (`NODE_OPTIONS=--import`): it resolves no host name, so that
// random settings cannot make it call other hosts.
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

const lookUp = dns.lookup;
const lookUpLater = dns.promises.lookup;
const isOwn = (/** @type {string} */ name) =>
  /^(localhost|[0-9.]+|[0-9a-f:]*:[0-9a-f:]*)$/i.test(name);
const absent = (/** @type {string} */ name) =>
  Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND', hostname: name });

Object.assign(dns, {
  lookup(/** @type {string} */ name, /** @type {any[]} */ ...rest) {
    // @ts-expect-error The overloads differ in `rest`.
    if (isOwn(name)) lookUp(name, ...rest);
    else process.nextTick(rest.at(-1), absent(name));
  },
});
Object.assign(dns.promises, {
  async lookup(/** @type {string} */ name, /** @type {any} */ options) {
    if (!isOwn(name)) throw absent(name);
    return lookUpLater(name, options);
  },
});
syncBuiltinESMExports();
