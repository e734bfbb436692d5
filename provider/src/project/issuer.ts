import type { Project } from './settings/project.ts';

/** The issuer name of this server (RFC 8414, section 2): its configured URL, else the URL of the request. */
export function issuerOf({ issuer }: Pick<Project, 'issuer'>, origin: string): string {
  return issuer ?? origin;
}
