ALTER TABLE "gateway_calls" ADD COLUMN "input_tokens" bigint;--> statement-breakpoint
ALTER TABLE "gateway_calls" ADD COLUMN "output_tokens" bigint;