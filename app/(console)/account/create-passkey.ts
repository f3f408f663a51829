'use client';

import {
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser';
import { postSignIn } from '@/app/(entry)/post-sign-in';

/**
 * Creates a passkey in the browser, and stores it under this name.
 * @param options the server's response to the password
 * @returns null, or why it was not added
 */
export async function createPasskey(
  name: string,
  options: Readonly<Record<string, unknown>>,
): Promise<string | null> {
  try {
    const response = await startRegistration({
      optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
    });
    const answer = await postSignIn('/api/auth/passkeys/confirm', { name, response }, 'passkey');
    return answer.ok ? null : answer.message;
  } catch (error) {
    return error instanceof Error && error.name === 'InvalidStateError'
      ? 'This device already has a passkey for this account.'
      : 'The browser did not create a passkey. Try again and confirm on the device.';
  }
}
