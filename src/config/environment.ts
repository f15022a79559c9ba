import dotenv from 'dotenv';
import type { Environment } from './read.ts';

/** The environment, completed by `.env` in a folder, if there is one. What is set in both is as the environment says. */
export function readEnvironment(environment: Environment, file: string): Environment {
  const filled = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));
  const { error } = dotenv.config({ path: file, processEnv: filled, quiet: true });
  if (error !== undefined && error.code !== 'ENOENT') {
    throw new Error(`${file} is there but can't be read (${error.code})`);
  }
  return filled;
}
