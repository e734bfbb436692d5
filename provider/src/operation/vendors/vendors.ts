import { AUTH0 } from './auth0.ts';
import { betterAuth } from './better-auth.ts';
import { CLERK } from './clerk.ts';
import { COGNITO } from './cognito.ts';
import { FIREBASE } from './firebase.ts';
import { keycloak } from './keycloak.ts';
import { kratos } from './kratos.ts';
import { nextAuth } from './next-auth.ts';
import { STYTCH } from './stytch.ts';
import { supabase } from './supabase.ts';
import type { Vendor } from './vendor.ts';

/** The products whose exports can be imported, by their names on the command line. */
export const VENDORS: Readonly<Record<string, Vendor>> = {
  stytch: STYTCH,
  auth0: AUTH0,
  clerk: CLERK,
  firebase: FIREBASE,
  cognito: COGNITO,
  supabase,
  'better-auth': betterAuth,
  'next-auth': nextAuth,
  keycloak,
  kratos,
};
