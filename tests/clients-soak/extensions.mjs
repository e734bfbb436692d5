import { register } from 'node:module';

/** For a package that is written for bundlers: finds modules that are named without their extension. */
const hook = `
export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (!specifier.startsWith('.') || specifier.endsWith('.js')) throw error;
    return next(specifier + '.js', context);
  }
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
