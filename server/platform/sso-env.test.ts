import { expect, test } from 'vitest';
import { readSingleSignOn } from './sso-env';

const whole = {
  ASSAY_SSO_ISSUER: 'https://id.example.org/',
  ASSAY_SSO_CLIENT_ID: 'assay',
  ASSAY_SSO_CLIENT_SECRET: 'secret',
  ASSAY_SSO_GROUPS: '{"cn=staff,ou=groups":{"*":"viewer","support":"admin"}}',
};

test('without an issuer there is no single sign-on, and a setting without it is an error', () => {
  expect(readSingleSignOn({})).toBeNull();
  expect(readSingleSignOn({ ASSAY_SSO_ISSUER: ' ', ASSAY_SSO_GROUPS: '' })).toBeNull();
  expect(() => readSingleSignOn({ ASSAY_SSO_PASSWORDS: 'off' })).toThrow(
    'ASSAY_SSO_ISSUER: is required with ASSAY_SSO_PASSWORDS',
  );
});

test('the settings have defaults, and group names may have any character', () => {
  expect(readSingleSignOn(whole)).toMatchObject({
    issuer: 'https://id.example.org',
    scopes: ['openid', 'profile', 'email'],
    groupsClaim: 'groups',
    emailDomains: [],
    passwords: 'on',
    groups: new Map([
      [
        'cn=staff,ou=groups',
        new Map([
          ['*', 'viewer'],
          ['support', 'admin'],
        ]),
      ],
    ]),
  });
});

test.each([
  ['ASSAY_SSO_ISSUER', 'id.example.org', /must be the URL of an issuer/],
  ['ASSAY_SSO_CLIENT_ID', '', /is required/],
  ['ASSAY_SSO_CLIENT_SECRET', '', /is required/],
  ['ASSAY_SSO_GROUPS', '', /is required/],
  ['ASSAY_SSO_GROUPS', '{}', /must be JSON/],
  ['ASSAY_SSO_GROUPS', 'staff=viewer', /must be JSON/],
  ['ASSAY_SSO_GROUPS', '{"staff":{"*":"boss"}}', /must be JSON/],
  ['ASSAY_SSO_GROUPS', '{"staff":{"Not A Slug":"viewer"}}', /must be JSON/],
  ['ASSAY_SSO_SCOPES', 'profile', /must include openid and email/],
  ['ASSAY_SSO_EMAIL_DOMAINS', 'example', /list of domains/],
  ['ASSAY_SSO_PASSWORDS', 'maybe', /must be on or off/],
])('%s=%s is refused by its name', (name, value, message) => {
  const read = () => readSingleSignOn({ ...whole, [name]: value });
  expect(read).toThrow(message);
  expect(read).toThrow(new RegExp(`^${name}: `));
});
