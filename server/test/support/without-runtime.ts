/** Loaded before a process by `--import`: the optional runtime of models is not installed for it. */
import { registerHooks } from "node:module";

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier !== "onnxruntime-web") return next(specifier, context);
    throw Object.assign(new Error(`Cannot find package '${specifier}'`), { code: "ERR_MODULE_NOT_FOUND" });
  },
});
