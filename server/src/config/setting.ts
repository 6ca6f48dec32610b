import { z } from "zod";

/** A setting: its environment variable, meaning and default. */
export interface Setting<T> {
  readonly env: string;
  readonly doc: string;
  readonly fallback: T;
  readonly secret: boolean;
  /** What the documentation shows as the default. */
  readonly shown: string;
  readonly parse: z.ZodType<T>;
}

interface SettingOptions<T> {
  default: T;
  doc: string;
  secret?: boolean;
  shown?: string;
}

export function setting<T>(env: string, parse: z.ZodType<T>, options: SettingOptions<T>): Setting<T> {
  const { default: fallback, doc, secret = false } = options;
  return { env, doc, fallback, secret, parse, shown: options.shown ?? String(fallback ?? "") };
}

export const text = (env: string, options: SettingOptions<string>) =>
  setting(env, z.string().min(1), options);
export const optionalText = (env: string, options: SettingOptions<string | null>) =>
  setting<string | null>(env, z.string().min(1), options);
export const int = (env: string, options: SettingOptions<number> & { min: number; max: number }) =>
  setting(env, z.coerce.number().int().min(options.min).max(options.max), options);
