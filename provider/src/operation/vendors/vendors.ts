import { auth0 } from './auth0/auth0.ts';
import { betterAuth } from './better-auth/better-auth.ts';
import { clerk } from './clerk/clerk.ts';
import { cognito } from './cognito/cognito.ts';
import { firebase } from './firebase/firebase.ts';
import { keycloak } from './keycloak/keycloak.ts';
import { kratos } from './kratos/kratos.ts';
import { nextAuth } from './next-auth/next-auth.ts';
import { stytch } from './stytch/stytch.ts';
import { supabase } from './supabase/supabase.ts';
import type { Vendor } from './vendor.ts';

/** The products whose exports can be imported, by their names on the command line. */
export const VENDORS: Readonly<Record<string, Vendor>> = {
  stytch,
  auth0,
  clerk,
  firebase,
  cognito,
  supabase,
  'better-auth': betterAuth,
  'next-auth': nextAuth,
  keycloak,
  kratos,
};
