import { dirname, resolve } from 'node:path';
import type { X509Certificate } from 'node:crypto';
import { certificateFrom } from '#provider/accounts/authenticators/certificates.ts';
import { MetadataError, metadataFrom, type AuthenticatorMetadata } from '#provider/accounts/authenticators/metadata.ts';
import { textOfFile } from '#provider/base/text-file.ts';
import { UsageError } from '#provider/base/usage-error.ts';
import type { PasskeySettings } from '#provider/project/settings/passkeys.ts';

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gu;

function textOf(path: string, field: string): string {
  try {
    return textOfFile(path);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new UsageError(`passkeys.${field} names ${path}: it cannot be read (${code}).`);
  }
}

function rootsOf(path: string): readonly X509Certificate[] {
  const found = (textOf(path, 'metadata_roots_file').match(PEM) ?? []).map((pem) => certificateFrom(Buffer.from(pem)));
  const roots = found.filter((certificate) => certificate !== undefined);
  if (roots.length === 0 || roots.length < found.length) {
    throw new UsageError(`${path}, which passkeys.metadata_roots_file names, must contain certificates in PEM.`);
  }
  return roots;
}

/**
 * The project's models of authenticators. Throws a UsageError that names the wrong field and file.
 *
 * @param projectFile relative paths start in its folder
 * @param now in milliseconds since 1970
 */
export function metadataOf(
  { passkeys }: { readonly passkeys: PasskeySettings },
  projectFile: string | null,
  now: number,
): AuthenticatorMetadata | undefined {
  const { metadata_file: file, metadata_roots_file: rootsFile } = passkeys;
  if (file === null) return undefined;
  const at = (path: string): string => resolve(projectFile === null ? '.' : dirname(projectFile), path);
  const roots = rootsFile === null ? null : rootsOf(at(rootsFile));
  const metadata = readMetadata(at(file), roots, now);
  const strange = passkeys.aaguids?.findIndex((aaguid) => metadata.modelOf(aaguid, undefined) === undefined) ?? -1;
  if (strange >= 0) {
    throw new UsageError(`passkeys.aaguids[${strange}] must be a model of ${at(file)}.`);
  }
  return metadata;
}

function readMetadata(path: string, roots: readonly X509Certificate[] | null, now: number): AuthenticatorMetadata {
  try {
    return metadataFrom(textOf(path, 'metadata_file'), { roots, now });
  } catch (error) {
    if (!(error instanceof MetadataError)) throw error;
    throw new UsageError(`${path}, which passkeys.metadata_file names, ${error.message}.`);
  }
}
