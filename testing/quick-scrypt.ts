import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Setup of the integration tests: the cost of a password hash is reduced to a sixteenth. Each
 * person of a test needs two, of 0.1 s and 32 MB each. Unit tests and processes use the product's
 * own cost.
 */
const original = crypto.scrypt;
const quickCost = 1024;

function quickScrypt(...args: Parameters<typeof original>): void {
  const [password, salt, bytes, options, done] = args;
  original(password, salt, bytes, { ...options, N: quickCost }, done);
}

crypto.scrypt = quickScrypt as typeof original;
syncBuiltinESMExports();
