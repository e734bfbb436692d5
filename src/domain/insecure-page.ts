import { SDKAPIError } from './errors.ts';

/** Shown to developers and, in an error, to the people who see the page. */
export const INSECURE_PAGE =
  'On this page the browser has no Web Cryptography and keeps no Secure cookies, so that logins fail: serve this page with https, or on localhost.';

/** True on pages that are neither https nor loopback, where a browser has no Web Cryptography. */
export const isInsecure = ({ subtle }: { readonly subtle?: unknown }): boolean => !subtle;

/** The error on such a page of everything that needs Web Cryptography. */
export const insecurePage = (): SDKAPIError =>
  new SDKAPIError({ status_code: 400, error_type: 'insecure_page', error_message: INSECURE_PAGE, error_url: '' });
