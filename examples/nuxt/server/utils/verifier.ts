import { createVerifier, type Verifier } from 'portico/server';

let verifier: Verifier | undefined;

/** One for the server: it keeps the keys and the policy. */
export function useVerifier(): Verifier {
  const { projectId, public: shown } = useRuntimeConfig();
  verifier ??= createVerifier({ projectId, apiUrl: shown.apiUrl, publicToken: shown.token });
  return verifier;
}
