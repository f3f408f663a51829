import { z } from 'zod';
import { displayName, SavedViewPage } from '../domain';
import { KeyScope, Role, ServiceRole } from './roles';

export const Slug = z
  .string()
  .min(2)
  .max(40)
  .regex(
    /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/,
    'must have lower-case letters and digits, with hyphens between them only',
  );
export const Email = z
  .email()
  .max(200)
  .transform((email) => email.toLowerCase());
export const Name = displayName(100);
export const Password = z.string().min(12, 'at least 12 characters').max(200);

/** Other members of a sign-in's body are ignored. */
export const SignIn = z.object({ email: Email, password: z.string().min(1).max(200) });
export type SignIn = z.infer<typeof SignIn>;

/** A code of an authenticator app, or a backup code, as typed. */
export const SecondFactorCode = z.object({
  code: z
    .string()
    .transform((code) => code.replace(/\s+/g, ''))
    .pipe(z.string().min(6).max(20)),
});
export const OwnPassword = z.object({ password: z.string().min(1).max(200) });

/** A browser's answer from a passkey: `PublicKeyCredential` as JSON, read by better-auth. */
const Credential = z.looseObject({ id: z.string().min(1).max(2000) });
export const PasskeyResponse = z.object({ response: Credential });
export const NewPasskey = z.object({
  name: z.string().trim().min(1).max(60),
  response: Credential,
});
export const PasskeyId = z.object({ id: z.string().min(1).max(100) });

/** The page to open after single sign-on: a path of the console. */
export const SsoStart = z.object({
  next: z
    .string()
    .max(2000)
    .regex(/^\/(?![/\\])[^\\\p{Cc}]*$/u)
    .default('/'),
});

export const ProjectRef = z.strictObject({ project: Slug });
export const CreateProject = z.strictObject({ slug: Slug, name: Name });
export type CreateProject = z.infer<typeof CreateProject>;

export const CreateKey = z.strictObject({
  name: Name,
  scopes: z.array(KeyScope).min(1).max(KeyScope.options.length),
  /** Omitted or null if the key does not expire. */
  expiresInDays: z.number().int().min(1).max(3650).nullish(),
  /** The service account that will own the key; omitted or null if the current user owns it. */
  serviceAccountId: z.string().min(1).max(200).nullish(),
});
export type CreateKey = z.infer<typeof CreateKey>;
export const CreateKeyIn = ProjectRef.extend(CreateKey.shape);
export const IdIn = ProjectRef.extend({ id: z.string().min(1).max(200) });
/** `graceHours`: how long the old key keeps working; 0 ends it at once. */
export const RotateKey = z.strictObject({
  id: z.string().min(1).max(200),
  graceHours: z.number().int().min(0).max(720).default(24),
});
export type RotateKey = z.infer<typeof RotateKey>;
export const RotateKeyIn = ProjectRef.extend(RotateKey.shape);

export const InviteMember = z.strictObject({ email: Email, role: Role });
export type InviteMember = z.infer<typeof InviteMember>;
export const InviteMemberIn = ProjectRef.extend(InviteMember.shape);
const MemberIn = ProjectRef.extend({ userId: z.string().min(1).max(200) });
/**
 * How to handle the member's keys (S-120): `hand_over` gives them to `handTo`, else to the current
 * user.
 */
const KeyChoice = {
  keys: z.enum(['revoke', 'hand_over']).default('revoke'),
  handTo: z.string().min(1).max(200).optional(),
};
export const PasswordLinkIn = MemberIn;
export const RemoveMemberIn = MemberIn.extend(KeyChoice);
export const ChangeRoleIn = MemberIn.extend({ role: Role, ...KeyChoice });

export const CreateServiceAccount = z.strictObject({ name: Name, role: ServiceRole });
export type CreateServiceAccount = z.infer<typeof CreateServiceAccount>;
export const CreateServiceAccountIn = ProjectRef.extend(CreateServiceAccount.shape);

const Token = z.string().min(20).max(200);
export const ClaimToken = z.strictObject({ token: Token });
export const UseClaim = z.strictObject({
  token: Token,
  email: Email,
  name: Name,
  password: Password,
  projectName: Name.optional(),
  projectSlug: Slug.optional(),
});
export type UseClaim = z.infer<typeof UseClaim>;
/** Resets a password by a one-time link. */
export const ResetPassword = z.strictObject({ token: Token, password: Password });
export type ResetPassword = z.infer<typeof ResetPassword>;
export const ChangePassword = z
  .strictObject({
    currentPassword: z.string().min(1, 'must not be empty').max(200),
    newPassword: Password,
  })
  .refine(({ currentPassword, newPassword }) => currentPassword !== newPassword, {
    path: ['newPassword'],
    message: 'must differ from the current password',
  });
export type ChangePassword = z.infer<typeof ChangePassword>;
export const CursorIn = ProjectRef.extend({
  cursor: z.string().max(200).optional(),
  limit: z.number().int().min(1).max(200).optional(),
});

const ViewName = displayName(80);
/** Named filters of a list; `query` is the query string of the list's address. */
export const SaveView = z.strictObject({
  page: SavedViewPage,
  name: ViewName,
  query: z
    .string()
    .max(2000)
    .regex(/^\?[^\s#\p{Cc}]+$/u, 'must be the query of an address, such as ?name=value'),
  shared: z.boolean(),
});
export type SaveView = z.infer<typeof SaveView>;
export const SaveViewIn = ProjectRef.extend(SaveView.shape);
export const RenameViewIn = IdIn.extend({ name: ViewName });

export {
  defaultScopes,
  permissionsOf,
  Role,
  KeyScope,
  ServiceRole,
  serviceScopesOf,
} from './roles';
