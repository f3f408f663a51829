const reasons: Readonly<Record<string, string>> = {
  not_mapped:
    'Your account is in no group that may use Assay. Ask the person who runs it for access.',
  email_not_verified:
    'The provider has not verified your email address. Verify it there, then sign in again.',
  domain_not_allowed: 'Your email domain may not sign in here. Use your work account.',
  account_not_linked:
    'An account with this email address exists, but the provider has not verified the address. Verify it there, then sign in again.',
  access_denied: 'The provider did not allow the sign-in.',
  state_mismatch: 'The sign-in was started in another browser or has expired. Start again.',
  state_not_found: 'The sign-in was started in another browser or has expired. Start again.',
};

/** The reason for which single sign-on failed, in words; `code` is a stranger's text. */
export function ssoProblem(code: string): string {
  return Object.hasOwn(reasons, code)
    ? (reasons[code] ?? '')
    : 'Single sign-on failed. Try again. If it fails again, ask the person who runs Assay.';
}
