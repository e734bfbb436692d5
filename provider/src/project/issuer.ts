import type { Project } from './settings/project.ts';

/** The name under which this server signs (RFC 8414, section 2): its configured address, else the address of the request. */
export function issuerOf({ issuer }: Pick<Project, 'issuer'>, origin: string): string {
  return issuer ?? origin;
}
