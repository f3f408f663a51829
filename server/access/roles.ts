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
]);
export type Permission = z.infer<typeof Permission>;

const viewer: readonly Permission[] = ['project.read', 'verdicts.read', 'members.read'];
const reviewer: readonly Permission[] = [...viewer, 'labels.write'];
const admin: readonly Permission[] = [
  ...reviewer,
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
 * forgotten.
 */
export const permissionsOf: Record<Role, readonly Permission[]> = {
  viewer,
  reviewer,
  admin,
  owner: [...admin, 'owners.write'],
};

/**
 * Scopes of an API key (api.md, Conventions). `impersonate` records labels under another rater than
 * the key; `promote` forces a promotion that the gate refuses (S-123).
 */
export const KeyScope = z.enum([
  'ingest',
  'verify',
  'read',
  'write',
  'gateway',
  'impersonate',
  'promote',
]);
export type KeyScope = z.infer<typeof KeyScope>;

/** The default scopes of a key: `impersonate` and `promote` must always be named. */
export const defaultScopes: readonly KeyScope[] = ['ingest', 'verify', 'read', 'write', 'gateway'];
