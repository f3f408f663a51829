import { z } from 'zod';

export const Role = z.enum(['owner', 'admin', 'reviewer', 'viewer']);
export type Role = z.infer<typeof Role>;

export const Permission = z.enum([
  'project.read',
  'verdicts.read',
  'members.read',
  'labels.write',
  'keys.read',
  'keys.write',
  'members.write',
  'settings.write',
  'prompts.write',
  'audit.read',
  'work.replay',
  'owners.write',
  'held_out.read',
]);
export type Permission = z.infer<typeof Permission>;

const viewer: readonly Permission[] = ['project.read', 'verdicts.read', 'members.read'];
const labeller: readonly Permission[] = [...viewer, 'labels.write'];
const admin: readonly Permission[] = [
  ...labeller,
  'keys.read',
  'keys.write',
  'members.write',
  'settings.write',
  'prompts.write',
  'audit.read',
  'work.replay',
];

/**
 * The permissions of each role inside its project: a total map, so that a new role cannot be
 * forgotten. `held_out.read` is not of admins, who edit prompts: a prompt written with access to
 * the held-out items would be tested on its own examples.
 */
export const permissionsOf: Record<Role, readonly Permission[]> = {
  viewer,
  reviewer: [...labeller, 'held_out.read'],
  admin,
  owner: [...admin, 'owners.write', 'held_out.read'],
};

/**
 * Scopes of an API key (api.md, Conventions). `impersonate` records labels under another rater than
 * the key; `promote` forces a promotion that the gate refuses (S-123); `held_out` reads held-out items
 * of datasets.
 */
export const KeyScope = z.enum([
  'ingest',
  'verify',
  'read',
  'write',
  'gateway',
  'impersonate',
  'promote',
  'held_out',
]);
export type KeyScope = z.infer<typeof KeyScope>;

/** The default scopes of a key: `impersonate`, `promote` and `held_out` must always be named. */
export const defaultScopes: readonly KeyScope[] = ['ingest', 'verify', 'read', 'write', 'gateway'];

/** Roles of service accounts: no key has the permissions that only owners have. */
export const ServiceRole = Role.exclude(['owner']);
export type ServiceRole = z.infer<typeof ServiceRole>;

/**
 * Scopes that need no permission of a role: they add data, or read data that every member may read.
 */
const openScopes: readonly KeyScope[] = ['ingest', 'verify', 'read', 'gateway'];

/** The scopes that keys of a service account may have, by its role. */
export const serviceScopesOf: Record<ServiceRole, readonly KeyScope[]> = {
  viewer: openScopes,
  reviewer: [...openScopes, 'held_out'],
  admin: [...openScopes, 'write', 'impersonate', 'promote'],
};
