import { z } from "zod";
import { person } from "../dashboard/people.ts";

export const peopleList = z.object({
  data: z.array(person).describe("All people of the installation, by e-mail address."),
});

export const personRole = z.strictObject({ role: person.shape.role }).meta({ id: "PersonRole" });
