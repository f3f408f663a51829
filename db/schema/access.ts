import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** People. An `operator` may create projects and sees the data of the whole installation. */
export const users = pgTable('users', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull().unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  image: text('image'),
  operator: boolean('operator').notNull().default(false),
  /** Whether signing in by password also needs a code. */
  twoFactorEnabled: boolean('two_factor_enabled').notNull().default(false),
  createdAt: at('created_at').notNull().defaultNow(),
  updatedAt: at('updated_at').notNull().defaultNow(),
});

export const authSessions = pgTable(
  'auth_sessions',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    token: text('token').notNull().unique(),
    expiresAt: at('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [index('auth_sessions_user').on(table.userId)],
);

export const authAccounts = pgTable(
  'auth_accounts',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: at('access_token_expires_at'),
    refreshTokenExpiresAt: at('refresh_token_expires_at'),
    scope: text('scope'),
    password: text('password'),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [index('auth_accounts_user').on(table.userId)],
);

export const authVerifications = pgTable(
  'auth_verifications',
  {
    id: text('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: at('expires_at').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [index('auth_verifications_expires').on(table.expiresAt)],
);

/**
 * The second step of signing in, by account: the secret of the authenticator app and the unused
 * backup codes, both encrypted. `verified`: a first code was right. After ten wrong codes in a row
 * the second step is locked until `lockedUntil`.
 */
export const authTwoFactors = pgTable(
  'auth_two_factors',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    secret: text('secret').notNull(),
    backupCodes: text('backup_codes').notNull(),
    verified: boolean('verified').notNull().default(false),
    failedVerificationCount: integer('failed_verification_count').notNull().default(0),
    lockedUntil: at('locked_until'),
  },
  (table) => [uniqueIndex('auth_two_factors_user').on(table.userId)],
);

/** The members are those of better-auth's plug-in; `publicKey` is base64. */
export const authPasskeys = pgTable(
  'auth_passkeys',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name'),
    credentialID: text('credential_id').notNull(),
    publicKey: text('public_key').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    deviceType: text('device_type').notNull(),
    backedUp: boolean('backed_up').notNull(),
    transports: text('transports'),
    aaguid: text('aaguid'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('auth_passkeys_credential').on(table.credentialID),
    index('auth_passkeys_user').on(table.userId),
  ],
);

/**
 * The number of password attempts since the first one (S-11, S-121): per e-mail address, with or
 * without an account, per network source, or per known device. Stored in PostgreSQL, so that the
 * limits apply across all web processes and survive restarts. `emailHash` is the SHA-256 of the
 * counted value and its kind, because most attempted addresses do not belong to our users and must
 * not be stored.
 */
export const signInTries = pgTable(
  'sign_in_tries',
  {
    emailHash: text('email_hash').primaryKey(),
    tries: integer('tries').notNull(),
    endsAt: at('ends_at').notNull(),
  },
  (table) => [index('sign_in_tries_ends').on(table.endsAt)],
);

/** The tenant. */
export const projects = pgTable('projects', {
  id: text('id').primaryKey(),
  slug: text('slug').notNull().unique(),
  name: text('name').notNull(),
  /**
   * A demo project, which accepts timestamps from its clients. Set when a local setup creates the
   * project, and never changed.
   */
  simulated: boolean('simulated').notNull().default(false),
  createdAt: at('created_at').notNull().defaultNow(),
});

export const members = pgTable(
  'members',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role', { enum: ['owner', 'admin', 'reviewer', 'viewer'] }).notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.userId] }),
    index('members_user').on(table.userId),
  ],
);

/**
 * One-time links: for the first owner, for invitations to a project, and for password resets. Only
 * the token's hash is stored.
 */
export const claims = pgTable(
  'claims',
  {
    id: text('id').primaryKey(),
    kind: text('kind', { enum: ['owner', 'invitation', 'password'] }).notNull(),
    tokenHash: text('token_hash').notNull(),
    projectId: text('project_id').references(() => projects.id, { onDelete: 'cascade' }),
    email: text('email'),
    /** For `password`: the account whose password is reset. */
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    role: text('role', { enum: ['owner', 'admin', 'reviewer', 'viewer'] }),
    createdBy: text('created_by'),
    createdAt: at('created_at').notNull().defaultNow(),
    expiresAt: at('expires_at').notNull(),
    usedAt: at('used_at'),
    revokedAt: at('revoked_at'),
  },
  (table) => [
    uniqueIndex('claims_token').on(table.tokenHash),
    index('claims_project').on(table.projectId),
  ],
);

/**
 * Members that are not people: they own API keys, and cannot sign in. The role limits the scopes of
 * their keys.
 */
export const serviceAccounts = pgTable(
  'service_accounts',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    name: text('name').notNull(),
    role: text('role', { enum: ['admin', 'reviewer', 'viewer'] }).notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    uniqueIndex('service_accounts_name').on(table.projectId, table.name),
  ],
);

/** API keys. Only the SHA-256 of the secret is stored; 160 random bits need no slow hash. */
export const apiKeys = pgTable(
  'api_keys',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    name: text('name').notNull(),
    secretHash: text('secret_hash').notNull(),
    scopes: text('scopes').array().notNull(),
    masked: text('masked').notNull(),
    createdBy: text('created_by').notNull(),
    /**
     * The member responsible for the key; null for keys created on the command line, and for keys
     * created before this column existed.
     */
    holderId: text('holder_id').references(() => users.id, { onDelete: 'set null' }),
    /** The service account that owns the key; null if a member or no one owns it. */
    serviceAccountId: text('service_account_id'),
    createdAt: at('created_at').notNull().defaultNow(),
    lastUsedAt: at('last_used_at'),
    /** Requests with the key are refused from this time on; null if the key does not expire. */
    expiresAt: at('expires_at'),
    /** The id of the key that replaced this one; null if it was not rotated. */
    successorId: text('successor_id'),
    revokedAt: at('revoked_at'),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    uniqueIndex('api_keys_id').on(table.id),
  ],
);

/**
 * The audit log: who changed what. Append-only. `projectId` is null for changes to the
 * installation.
 */
export const auditEvents = pgTable(
  'audit_events',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id'),
    at: at('at').notNull().defaultNow(),
    actorKind: text('actor_kind', { enum: ['user', 'key', 'system'] }).notNull(),
    actorId: text('actor_id').notNull(),
    actorLabel: text('actor_label').notNull(),
    action: text('action').notNull(),
    target: text('target'),
    detail: jsonb('detail').notNull().$type<Record<string, unknown>>(),
    /** Its place in the chain of its project, from 1; null until a worker seals it. */
    position: bigint('position', { mode: 'number' }),
    /** SHA-256 of `detail` when it was sealed; the detail may be deleted later. */
    detailHash: text('detail_hash'),
    /** Authenticates the row and, through the row before it, all earlier ones. */
    mac: text('mac'),
  },
  (table) => [
    index('audit_events_project').on(table.projectId, table.id),
    index('audit_events_unsealed').on(table.id).where(sql`position is null`),
  ],
);

/**
 * The end of each chain of audit events, so that missing last rows are detected, and the result of
 * the last check.
 */
export const auditChains = pgTable('audit_chains', {
  /** `installation` for events without a project. */
  projectId: text('project_id').primaryKey(),
  length: bigint('length', { mode: 'number' }).notNull(),
  /** That of the last row. */
  mac: text('mac').notNull(),
  /** Authenticates `length` and `mac`. */
  endMac: text('end_mac').notNull(),
  checkedAt: at('checked_at'),
  /** The finding of the last check; null if the chain was intact. */
  problem: text('problem'),
});
